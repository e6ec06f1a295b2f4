import { Page } from "../ui";

export function WorkPage() {
  return (
    <Page title="Work" about="">
      <p>…</p>
    </Page>
  );
}
