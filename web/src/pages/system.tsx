import { Page } from "../ui";

export function SystemPage() {
  return (
    <Page title="System" about="">
      <p>…</p>
    </Page>
  );
}
