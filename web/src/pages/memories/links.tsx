// What a memory has to do with others: drawn as a wheel, and said as a list with the same numbers.

import { call } from "../../api";
import { brief } from "../../format";
import { useLoad } from "../../load";
import { Badge, heat, Panel, Show, Temperature } from "../../ui";
import type { Linked, Memory } from "../../verbs";
import { opened } from "./asked";

const MOST = 12;

/** One neighbour, with all that it is linked by. */
interface Neighbour {
  item: Memory;
  weight: number;
  relations: Linked["relation"][];
}

const SAID: Record<Linked["relation"], string> = {
  similar: "similar",
  entity: "names the same",
  supersedes: "one replaced the other",
};

export function Links(props: { of: Memory; turn: number }) {
  const { of, turn } = props;
  const links = useLoad((signal) => call("links", { id: of.id, limit: 2 * MOST }, signal), [of.id, turn]);
  return (
    <Panel title="What it has to do with">
      <Show of={links}>
        {(found) => {
          const around = neighbours(found.links);
          if (!around.length) return <p class="quiet">Nothing else that is remembered, so far.</p>;
          return (
            <div class="stack">
              <Wheel of={of} around={around} />
              <ol class="neighbours">
                {around.map(({ item, relations, weight }, place) => (
                  <li key={item.id}>
                    <span class="number" aria-hidden="true">
                      {place + 1}
                    </span>
                    <div>
                      <a class="stored" dir="auto" href={opened(item.id)}>
                        {brief(item.text, 140)}
                      </a>
                      <p class="row traits">
                        <Temperature value={item.temperature} sacred={item.sacred} />
                        <Badge>{item.kind}</Badge>
                        <span class="quiet">
                          {relations.map((relation) => SAID[relation]).join(", ")} · {weight.toFixed(2)}
                        </span>
                      </p>
                    </div>
                  </li>
                ))}
              </ol>
            </div>
          );
        }}
      </Show>
    </Panel>
  );
}

function neighbours(links: Linked[]): Neighbour[] {
  const found = new Map<string, Neighbour>();
  for (const { item, weight, relation } of links) {
    const known = found.get(item.id);
    if (known) known.relations.push(relation);
    else found.set(item.id, { item, weight, relations: [relation] });
  }
  return [...found.values()].slice(0, MOST);
}

/** The closer two are linked, the nearer they stand. */
function Wheel(props: { of: Memory; around: Neighbour[] }) {
  const number = props.around.length;
  const placed = props.around.map((one, place) => {
    const angle = (2 * Math.PI * place) / number - Math.PI / 2;
    const far = 84 + 52 * (1 - Math.min(1, Math.max(0, one.weight)));
    return { ...one, far, x: far * Math.cos(angle), y: far * Math.sin(angle) };
  });
  const side = Math.max(...placed.map((one) => one.far)) + 20;
  return (
    <svg class="wheel" viewBox={`${-side} ${-side} ${2 * side} ${2 * side}`}>
      <title>Linked memories, by their numbers in the list below</title>
      {placed.map(({ item, x, y, weight, relations }) => (
        <line key={item.id} class={relations[0]} x1="0" y1="0" x2={x} y2={y} stroke-width={1 + 3 * weight} />
      ))}
      <g class="node centre" style={heat(props.of.temperature)}>
        <circle r="20" />
        <text>◆</text>
      </g>
      {placed.map(({ item, x, y }, place) => (
        <a
          key={item.id}
          class="node"
          href={opened(item.id)}
          aria-label={`${place + 1}: ${brief(item.text, 80)}`}
        >
          <g style={heat(item.temperature)}>
            <title>{brief(item.text, 200)}</title>
            <circle cx={x} cy={y} r="15" />
            <text x={x} y={y}>
              {place + 1}
            </text>
          </g>
        </a>
      ))}
    </svg>
  );
}
