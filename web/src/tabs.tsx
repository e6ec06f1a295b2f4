// Parts of a page, of which one is shown: links, so that each can be linked to.

import { address } from "./route";

export function Tabs(props: { page: string; label: string; of: Record<string, string>; shown: string }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {Object.entries(props.of).map(([key, name], place) => (
        <a
          key={key}
          href={address(props.page, null, { tab: place ? key : null })}
          aria-current={props.shown === key ? "page" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
