// What the pages are made of.

import type { ComponentChildren, CSSProperties } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Refused } from "./api";
import { moment } from "./format";
import type { Loaded } from "./load";
import { address } from "./route";
import { Stored } from "./stored";

/** A page: its name, what it is for, what it is asked with, and what it shows. */
export function Page(props: {
  title: string;
  about: string;
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${props.title} · Emberkeep`;
  }, [props.title]);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{props.title}</h1>
          <p>{props.about}</p>
        </div>
        {props.tools && <div class="tools">{props.tools}</div>}
      </header>
      {props.children}
    </>
  );
}

/** What was loaded, or why it was not; both, of what was there before the server went away. */
export function Show<T>(props: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, loading, reload } = props.of;
  if (value === undefined && !error)
    return (
      <p class="quiet" role="status">
        Loading…
      </p>
    );
  return (
    <>
      {error && <Failure error={error} again={reload} />}
      {value !== undefined && (
        <div class="shown" aria-busy={loading}>
          {props.children(value)}
        </div>
      )}
    </>
  );
}

export function Failure(props: { error: Refused | Error; again?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p class="stored">{props.error.message}</p>
      {props.again && (
        <button type="button" onClick={props.again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What the service left out of an answer, and why. */
export function LeftOut(props: { degraded: readonly string[] }) {
  if (!props.degraded.length) return null;
  return (
    <div class="notice left-out" role="status">
      <p>Not all of it:</p>
      <ul>
        {props.degraded.map((one) => (
          <li key={one}>
            <Stored text={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is said where there is nothing, and how something gets there. */
export function Empty(props: { children: ComponentChildren }) {
  return <div class="notice empty">{props.children}</div>;
}

export function Panel(props: { title?: ComponentChildren; class?: string; children: ComponentChildren }) {
  return (
    <section class={`panel ${props.class ?? ""}`}>
      {props.title && <h2>{props.title}</h2>}
      {props.children}
    </section>
  );
}

/** How warm a memory is, from 0 to 100, as a colour and a number. */
export function Temperature(props: { value: number; sacred?: boolean }) {
  const degrees = Math.round(props.value);
  const said = props.sacred ? "pinned, never cools" : `${degrees} of 100`;
  return (
    <span
      class={`temperature ${props.sacred ? "sacred" : ""}`}
      style={heat(props.value)}
      title={`Temperature: ${said}`}
    >
      {props.sacred ? "★" : ""}
      {degrees}°
    </span>
  );
}

/** The colour of a temperature: from a cold blue to a glowing orange. */
export function heat(value: number): CSSProperties {
  return { "--warm": `${Math.max(0, Math.min(100, Math.round(value)))}%` } as CSSProperties;
}

export function Badge(props: { children: ComponentChildren; tone?: "good" | "bad" | "warm" | "quiet" }) {
  return <span class={`badge ${props.tone ?? "quiet"}`}>{props.children}</span>;
}

/** Bars beside each other, by their share of the largest; what they say is in the text, not only in the picture. */
export function Bars(props: {
  rows: { name: string; value: number; said?: string; style?: CSSProperties }[];
  label: string;
}) {
  const most = Math.max(1, ...props.rows.map((row) => row.value));
  return (
    <dl class="bars" aria-label={props.label}>
      {props.rows.map((row) => (
        <div key={row.name} class="bar-row">
          <dt>{row.name}</dt>
          <dd>
            <span class="bar" style={{ ...row.style, width: `${(100 * row.value) / most}%` }} />
            <span class="bar-value">{row.said ?? row.value}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function When(props: { at: string }) {
  return <time dateTime={props.at}>{moment(props.at)}</time>;
}

export function MemoryLink(props: { id: string; children: ComponentChildren }) {
  return <a href={address("memories", props.id)}>{props.children}</a>;
}

/** A box that opens above the page, and closes with Escape. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} onClose={props.close} aria-labelledby="dialog-title">
      <header>
        <h2 id="dialog-title">{props.title}</h2>
        <button type="button" class="plain" onClick={props.close} aria-label="Close">
          ✕
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

/** A text field with its name. */
export function Field(props: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span>{props.label}</span>
      {props.children}
    </label>
  );
}
