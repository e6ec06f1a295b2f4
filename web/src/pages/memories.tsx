import { Page } from "../ui";

export function MemoriesPage() {
  return (
    <Page title="Memories" about="">
      <p>…</p>
    </Page>
  );
}
