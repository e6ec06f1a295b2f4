import { Page } from "../ui";

export function TimelinePage() {
  return (
    <Page title="Timeline" about="">
      <p>…</p>
    </Page>
  );
}
