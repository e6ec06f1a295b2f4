// Whose something is, where it is not said already.

import { Stored } from "../../stored";

export function Whose(props: { of: { user_id: string | null; agent_id?: string | null } }) {
  const { user_id, agent_id } = props.of;
  return (
    <>
      {user_id && (
        <span>
          of <Stored text={user_id} most={60} />
        </span>
      )}
      {agent_id && (
        <span>
          by <Stored text={agent_id} most={60} />
        </span>
      )}
    </>
  );
}
