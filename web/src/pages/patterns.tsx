import { Page } from "../ui";

export function PatternsPage() {
  return (
    <Page title="Patterns" about="">
      <p>…</p>
    </Page>
  );
}
