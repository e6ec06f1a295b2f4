// What is remembered: found, looked at, corrected and forgotten.

import { route } from "../route";
import { MemoryList } from "./memories/list";
import { OneMemory } from "./memories/one";
import "./memories.css";

export function MemoriesPage() {
  const { id } = route.value;
  return id === null ? <MemoryList /> : <OneMemory key={id} id={id} />;
}
