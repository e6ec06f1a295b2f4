// The frame around the pages.

import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { call } from "./api";
import { useKeptFocus } from "./focus";
import { useLoad } from "./load";
import { ContextPage } from "./pages/context";
import { MemoriesPage } from "./pages/memories";
import { PatternsPage } from "./pages/patterns";
import { SystemPage } from "./pages/system";
import { TimelinePage } from "./pages/timeline";
import { WorkPage } from "./pages/work";
import { address, route } from "./route";
import { alone, apiKey, type Theme, theme, user } from "./state";
import { Dialog, Failure, Field } from "./ui";

const PAGES: Record<string, { name: string; icon: string; page: ComponentType }> = {
  memories: { name: "Memories", icon: "◆", page: MemoriesPage },
  timeline: { name: "Timeline", icon: "≡", page: TimelinePage },
  context: { name: "Context", icon: "❝", page: ContextPage },
  work: { name: "Work", icon: "✓", page: WorkPage },
  patterns: { name: "Patterns", icon: "∿", page: PatternsPage },
  system: { name: "System", icon: "⚙", page: SystemPage },
};
const THEMES: Record<Theme, string> = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

export function App() {
  const { page } = route.value;
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <nav class="side" aria-label="Pages">
        <a class="brand" href={address("memories")}>
          <img src="/favicon.svg" alt="" width="24" height="24" /> Emberkeep
        </a>
        <ul>
          {Object.entries(PAGES).map(([key, one]) => (
            <li key={key}>
              <a href={address(key)} aria-current={page === key ? "page" : undefined}>
                <span class="icon" aria-hidden="true">
                  {one.icon}
                </span>
                {one.name}
              </a>
            </li>
          ))}
        </ul>
        <Settings />
      </nav>
      <main ref={main} id="main" tabIndex={-1}>
        <Shown key={page} />
      </main>
    </>
  );
}

/** The page; what cannot be shown takes neither the others nor the way to them with it. */
function Shown() {
  const [error, again] = useErrorBoundary();
  const { page, id } = route.value;
  useEffect(again, [id]); // another one may well be
  const Here = Object.hasOwn(PAGES, page) ? PAGES[page]?.page : undefined;
  if (error) return <Failure error={new Error(`This cannot be shown: ${error}`)} again={again} />;
  return Here ? <Here /> : <p>There is no page here. The pages are on the left.</p>;
}

function Settings() {
  const [asking, setAsking] = useState(false);
  const users = useLoad((signal) => call("users", { limit: 10_000 }, signal), []);
  const locked = users.error?.status === 401;
  useEffect(() => {
    if (locked) setAsking(true);
  }, [locked]);
  const refused = users.error?.status === 403;
  useEffect(() => {
    if (!users.loading) alone.value = refused;
  }, [refused, users.loading]);
  return (
    <div class="settings">
      <Field label="User">
        <select value={user.value} onChange={(event) => (user.value = event.currentTarget.value)}>
          <option value="*">{alone.value ? "The key's user" : "Everyone"}</option>
          {user.value !== "*" && !users.value?.users.some((one) => one.user_id === user.value) && (
            <option value={user.value}>{user.value}</option>
          )}
          {users.value?.users.map(
            (one) =>
              one.user_id !== null && (
                <option key={one.user_id} value={one.user_id}>
                  {one.user_id}
                </option>
              ),
          )}
        </select>
      </Field>
      <button type="button" class="plain" onClick={turnTheme}>
        {THEMES[theme.value]}
      </button>
      <button type="button" class="plain" onClick={() => setAsking(true)}>
        {apiKey.value ? "API key: set" : "API key: none"}
      </button>
      {asking && <AskKey needed={locked} close={() => setAsking(false)} />}
    </div>
  );
}

function turnTheme() {
  const order: Theme[] = ["system", "light", "dark"];
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
}

function AskKey(props: { needed: boolean; close: () => void }) {
  const [typed, setTyped] = useState(apiKey.value);
  return (
    <Dialog title="API key" close={props.close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== apiKey.value) user.value = "*"; // another key may be of other users
          apiKey.value = typed.trim();
          props.close();
        }}
      >
        <p>
          {props.needed ? "This server asks for a key." : "A server without keys needs none."} Make one with{" "}
          <code>emberkeep keys create</code>. It is kept for this tab only.
        </p>
        <Field label="Key">
          <input
            type="password"
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
        <button type="submit">Use it</button>
      </form>
    </Dialog>
  );
}
