// Whether the server and its database answer.

import { useLoad } from "../../load";
import { usePolling } from "../../polling";

interface Answer {
  ok: boolean;
  said: string;
}

export function Health() {
  const loaded = useLoad(
    async (signal) => ({
      server: await asked("/healthz", signal),
      database: await asked("/readyz", signal),
    }),
    [],
  );
  usePolling(loaded);
  const found = loaded.value;
  return (
    <ul class="health" aria-label="Health">
      <Light name="Server" of={found?.server} />
      <Light name="Database" of={found?.database} />
    </ul>
  );
}

function Light(props: { name: string; of: Answer | undefined }) {
  const state = props.of === undefined ? "" : props.of.ok ? "good" : "bad";
  return (
    <li class={`light ${state}`}>
      <span aria-hidden="true">{props.of === undefined ? "○" : props.of.ok ? "●" : "✗"}</span>
      <strong>{props.name}</strong> <span>{props.of?.said ?? "is asked…"}</span>
    </li>
  );
}

/** What an endpoint outside of the verbs says: that it is away is an answer too. */
async function asked(path: string, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await fetch(path, { signal });
    const told = (await answer.json()) as { version?: string; error?: { message: string } };
    if (!answer.ok) return { ok: false, said: told.error?.message ?? `answers with ${answer.status}` };
    return { ok: true, said: told.version ? `answers, version ${told.version}` : "answers" };
  } catch {
    return { ok: false, said: "does not answer" };
  }
}
