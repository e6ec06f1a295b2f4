// What a model would be handed for a task: chosen under a budget, with what was left out and why.

import { useState } from "preact/hooks";
import { call } from "../api";
import { useDoing } from "../doing";
import { go, route } from "../route";
import { user } from "../state";
import { Failure, Page } from "../ui";
import type { Context } from "../verbs";
import { Assembled } from "./context/assembled";
import { AskForm, useWanted } from "./context/form";
import { Recent } from "./context/recent";
import { OneRecord } from "./context/record";
import { tierNames } from "./context/words";
import "./context.css";

export function ContextPage() {
  const { id } = route.value;
  const [wanted, want] = useWanted();
  const [made, setMade] = useState<Context>();
  const doing = useDoing();
  const [turn, setTurn] = useState(0);
  const changed = () => setTurn((before) => before + 1);

  const assemble = () =>
    doing.run(async () => {
      // All of them are left out, for keys that may not have all.
      const tiers = wanted.tiers.length === tierNames.length ? null : wanted.tiers;
      const context = await call("context", { ...wanted, tiers, user_id: user.value });
      setMade(context);
      changed();
      // The record's address is the context's: it can be linked to and come back to.
      go("context", context.id ?? null);
      return null;
    });

  const here = made && (made.id ?? null) === id;
  return (
    <Page title="Context" about="What a model would be handed for a task, within a budget of tokens.">
      <div class="context">
        <div class="stack">
          <AskForm wanted={wanted} change={want} busy={doing.busy} submit={assemble} />
          {doing.error && <Failure error={doing.error} />}
          {here ? (
            <Assembled key={id} of={made} rated={changed} />
          ) : (
            id !== null && <OneRecord key={id} id={id} rated={changed} reuse={want} />
          )}
        </div>
        <Recent open={id} turn={turn} />
      </div>
    </Page>
  );
}
