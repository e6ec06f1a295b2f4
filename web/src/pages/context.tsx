import { Page } from "../ui";

export function ContextPage() {
  return (
    <Page title="Context" about="">
      <p>…</p>
    </Page>
  );
}
