// One memory: what it says, where it comes from, what became of it, and what to do with it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api";
import { useLoad } from "../../load";
import { address, moved, route } from "../../route";
import { Words } from "../../stored";
import { Badge, heat, Page, Show, Temperature } from "../../ui";
import type { Memory } from "../../verbs";
import { asked, written } from "./asked";
import { Changes } from "./changes";
import { Care } from "./edit";
import { Facts } from "./facts";
import { Links } from "./links";
import { looked } from "./list";
import { Sources } from "./sources";
import { Tags } from "./tags";

export function OneMemory(props: { id: string }) {
  const [turn, setTurn] = useState(0);
  const memory = useLoad((signal) => call("get", { id: props.id }, signal), [props.id, turn]);
  const back = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    looked.value = props.id;
    window.scrollTo(0, 0);
    if (moved) back.current?.focus({ preventScroll: true });
  }, [props.id]);
  return (
    <Page
      title="Memory"
      about="What it says, where it comes from and what became of it."
      tools={
        <a ref={back} href={address("memories", null, written(asked()))}>
          ← {route.value.query.get("q") ? "Back to what was found" : "All memories"}
        </a>
      }
    >
      <Show of={memory}>
        {(one) => (
          <div class="one">
            <div class="stack">
              <Text of={one}>
                <Care of={one} changed={() => setTurn((before) => before + 1)} />
              </Text>
              <Sources of={one} />
              <Changes of={one} turn={turn} />
            </div>
            <div class="stack">
              <Facts of={one} />
              <Links of={one} turn={turn} />
            </div>
          </div>
        )}
      </Show>
    </Page>
  );
}

function Text(props: { of: Memory; children: ComponentChildren }) {
  const { of } = props;
  return (
    <section class="panel memory-text" style={heat(of.temperature)} aria-label="What it says">
      {of.speaker && (
        <p class="quiet">
          <bdi>{of.speaker}</bdi>:
        </p>
      )}
      <Words text={of.text} />
      <p class="row traits">
        <Temperature value={of.temperature} sacred={of.sacred} />
        <Badge>{of.kind}</Badge>
        {of.sacred && <Badge tone="warm">pinned</Badge>}
        <Tags of={of.tags} />
      </p>
      {props.children}
    </section>
  );
}
