// Every verb of the service, called by its name.

import { alone, apiKey } from "./state";
import { type Event, routes, type Verbs } from "./verbs";

const PREFIX = "/api/v1";

export type Takes<V extends keyof Verbs> = Verbs[V]["takes"];
export type Answers<V extends keyof Verbs> = Verbs[V]["answers"];

/** What the service refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** How things were when they were read. */
const etags = new WeakMap<object, string>();

/** Call a verb; arguments that are null or undefined are left out, except in what changes something.
 *
 * What changes a thing that was `seen` is refused if somebody else has changed it since.
 */
export async function call<V extends keyof Verbs>(
  verb: V,
  takes: Takes<V>,
  signal?: AbortSignal | null,
  seen?: object,
): Promise<Answers<V>> {
  const [method, template] = routes[verb];
  const left: Record<string, unknown> = { ...takes };
  if (alone.value && left.user_id === "*") delete left.user_id;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = inPath(String(left[name]));
    delete left[name];
    return value;
  });
  const sends = method !== "GET" && method !== "DELETE";
  const known = seen && etags.get(seen);
  const answer = await ask(sends ? path : `${path}${query(left)}`, {
    method,
    ...(sends ? { body: JSON.stringify(left) } : {}),
    ...(signal ? { signal } : {}),
    ...(known ? { headers: { "If-Match": known } } : {}),
  });
  const told = (await json(answer)) as Answers<V>;
  const etag = answer.headers.get("ETag");
  if (etag) etags.set(told, etag);
  return told;
}

/** An id as a part of a path. */
function inPath(id: string): string {
  // To a browser they are this folder and the one above, however they are written.
  if (id === "." || id === "..")
    throw new Refused(
      404,
      "not_found",
      `A browser cannot ask for the id "${id}": use Python or the command line.`,
    );
  return encodeURIComponent(id);
}

async function json(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refused(
      answer.status,
      "error",
      "What answered is not Emberkeep: is there a proxy that asks for a login?",
    );
  }
}

/** Where to go on after, and whom to tell that the stream has begun. */
export interface Following {
  after?: string | null;
  opened?: () => void;
}

/** Events as they happen, until the signal says to stop; each is handed over as it arrives. */
export async function follow(
  tell: (event: Event) => void,
  signal: AbortSignal,
  { after, opened }: Following = {},
): Promise<void> {
  const answer = await ask("/events/stream?type=*", {
    signal,
    ...(after ? { headers: { "Last-Event-ID": after } } : {}),
  });
  opened?.();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n");
      if (data) tell(JSON.parse(data) as Event);
    }
  }
}

async function ask(path: string, options: RequestInit): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("Content-Type", "application/json");
  if (/[^!-~]/.test(apiKey.value))
    throw new Refused(
      401,
      "unauthenticated",
      "The API key has characters that are in no key: copy it again.",
    );
  if (apiKey.value) headers.set("Authorization", `Bearer ${apiKey.value}`);
  let answer: Response;
  try {
    answer = await fetch(PREFIX + path, { ...options, headers });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Refused(0, "unreachable", "The server does not answer. Is `emberkeep serve` still running?");
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => null)) as {
    error?: { code: string; message: string };
  } | null;
  throw new Refused(
    answer.status,
    told?.error?.code ?? "error",
    told?.error?.message ?? `The server answered with ${answer.status}.`,
  );
}

function query(takes: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(takes)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined) pairs.append(name, String(one));
    }
  }
  const text = pairs.toString();
  return text && `?${text}`;
}
