// Written by scripts/write_web.py from the table of verbs: change that, then run `make reference`.

export interface ActiveTask {
  id: string;
  state: unknown;
  description: string;
  status: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled" | null;
  since: string;
  updated_at: string;
}

export interface Added {
  extracted: number;
  new: number;
  updated: number;
  errors: number;
  memories: Memory[];
  interaction_id: string | null;
  reasons: string[];
  redacted: string[];
}

export interface AgentState {
  agent_id: string;
  status: string;
  state: Record<string, unknown>;
  updated_at: string;
}

export interface ApiKey {
  id: string;
  tenant: string;
  name: string;
  role: "read" | "write" | "admin";
  user_id: string | null;
  created_at: string;
  expires_at?: string | null;
  revoked_at?: string | null;
  last_used_at?: string | null;
}

export interface Audit {
  examined: number;
  faults: Record<string, Fault>;
  quarantined: Fault;
}

export interface AuditEntry {
  id: string;
  at: string;
  who: string;
  action: string;
  user_id: string | null;
  what: Record<string, unknown>;
}

export interface CacheUse {
  hits: number;
  misses: number;
  rate: number | null;
}

export interface CachedPattern {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  trigger: string;
  action: string;
  successes: number;
  failures: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  used_at?: string | null;
}

export interface Caps {
  soft?: number;
  hard?: number;
  per_user?: number;
}

export interface Caution {
  action: string;
  failed: number;
  total: number;
  risk: number;
  failures?: SimilarTask[];
  fixes?: SimilarTask[];
  message?: string;
}

export interface Change {
  at: string;
  action: "added" | "updated" | "reheated" | "refined" | "superseded" | "retracted" | "restored" | "deleted";
  text: string | null;
  previous_text?: string | null;
  temperature?: number | null;
}

export interface Chunk {
  key: string;
  source: "operational" | "working" | "longterm" | "knowledge";
  kind: string;
  text: string;
  content: string;
  tokens: number;
  relevance: number;
  trust: "told" | "said" | "learned" | "assistant" | "tool" | "imported" | "untrusted";
  trimmed: boolean;
  at: string;
  speaker: string | null;
  origin: string;
  memory: Hit | null;
}

export interface Cluster {
  members: string[];
  cohesion: number;
  parts?: Cluster[];
}

export interface ConfigChange {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  key: string;
  old: unknown;
  new: unknown;
  who: string;
  why: string;
  occurred_at: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface Considered {
  key: string;
  tier: "operational" | "working" | "longterm" | "knowledge";
  kind: string;
  value: number;
  tokens: number;
  fate: "chosen" | "trimmed" | "dropped";
  why?: string;
}

export interface Context {
  text: string;
  chunks: Chunk[];
  total_tokens: number;
  dropped?: number;
  degraded?: string[];
  id?: string | null;
  budget?: number;
  messages?: Record<string, string>[];
  entries?: Considered[];
}

export interface ContextRecord {
  id: string;
  at: string;
  task: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  max_tokens: number;
  total_tokens: number;
  settings: Record<string, unknown>;
  entries: Considered[];
  degraded?: string[];
  helpful?: boolean | null;
  note?: string | null;
  rated_at?: string | null;
}

export interface Decision {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  goal_id: string | null;
  task_id: string | null;
  who: string;
  what: string;
  why: string;
  context: string;
  alternatives: string[];
  confidence: number | null;
  outcome: string | null;
  success: boolean | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  archived_at?: string | null;
}

export interface Delivered {
  sent?: number;
  failed?: number;
  reasons?: string[];
}

export interface Details {
  llm_messages?: Record<string, unknown>[];
  tool_calls?: Record<string, unknown>[];
  skill_used?: string | null;
  latency_ms?: Record<string, number>;
}

export interface Difference {
  learner: string;
  added?: number;
  lost?: number;
  changed?: number;
  switched?: boolean;
  added_texts?: string[];
  lost_texts?: string[];
  changed_texts?: string[];
}

export interface Document {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  title: string;
  origin: string;
  media_type: string;
  content_hash: string;
  chunks: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface Entry {
  key: string;
  value: unknown;
  user_id: string | null;
  agent_id: string | null;
  updated_at: string;
}

export interface Event {
  id: string;
  type: string;
  at: string;
  tenant: string;
  user_id: string | null;
  payload: Record<string, unknown>;
  schema_version?: number;
}

export interface Evidence {
  channel: "dense" | "neighbours" | "meanings" | "lexical" | "window" | "session" | "speaker" | "time" | "shape" | "facts" | "links" | "rerank";
  score: number;
  rank: number;
  worth: number;
}

export interface Execution {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  task_id: string;
  type: string;
  description: string;
  summary: string;
  success: boolean;
  errors: string[];
  tools: string[];
  code: string | null;
  reused: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface Fault {
  count: number;
  rate: number;
  examples?: string[];
}

export interface FoundDecision {
  record: Decision;
  relevance: number;
  similarity: number | null;
}

export interface FoundIncident {
  record: Incident;
  relevance: number;
  similarity: number | null;
}

export interface FoundPassage {
  record: Passage;
  relevance: number;
  similarity: number | null;
}

export interface FoundProcedure {
  record: Procedure;
  relevance: number;
  similarity: number | null;
}

export interface FoundTaskOrDecision {
  record: Task | Decision;
  relevance: number;
  similarity: number | null;
}

export interface Goal {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  parent_id: string | null;
  description: string;
  status: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled";
  priority: number;
  summary: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  finished_at?: string | null;
  archived_at?: string | null;
}

export interface Hit {
  id: string;
  text: string;
  kind: "episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config";
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  speaker: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  occurred_at: string;
  recorded_at: string;
  valid_from: string;
  valid_to: string | null;
  superseded_by: string | null;
  temperature: number;
  heated_at: string;
  access_count: number;
  last_access: string | null;
  sacred: boolean;
  gloss?: string;
  sources?: Source[];
  record?: string | null;
  utc_offset?: number;
  score: number;
  similarity: number | null;
  why: Why;
}

export interface Hits {
  memories: Hit[];
  degraded: string[];
}

export interface Imported {
  document: Document;
  change: "added" | "replaced" | "unchanged";
  new: number;
  gone: number;
  kept: number;
}

export interface Incident {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  title: string;
  description: string;
  severity: "low" | "medium" | "high" | "critical";
  cause: string;
  resolution: string;
  occurred_at: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  resolved_at?: string | null;
}

export interface Interaction {
  id: string;
  messages: Message[];
  occurred_at: string;
  recorded_at: string;
  tags: string[];
  metadata: Record<string, unknown>;
  details: Details | null;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  utc_offset?: number;
}

export interface InteractionRecord {
  session_id: string | null;
  timestamp: string;
  user_transcript: string;
  llm_messages: Record<string, unknown>[];
  tool_calls: Record<string, unknown>[];
  assistant_response: string;
  skill_used?: string | null;
  latency_ms?: Record<string, number>;
  user_id?: string | null;
  agent_id?: string | null;
  metadata?: Record<string, unknown>;
}

export interface LearnReport {
  derived?: number;
  learned?: number;
  new?: number;
  updated?: number;
  embedded?: number;
  waiting?: number;
  failed?: number;
  reasons?: string[];
}

export interface Linked {
  relation: "similar" | "entity" | "supersedes";
  weight: number;
  item: Memory;
}

export interface LiveEvent {
  at: string;
  category: string;
  severity: "debug" | "info" | "warning" | "error" | "critical";
  message?: string;
  source?: string;
  data?: unknown;
  id?: string | null;
}

export interface Memory {
  id: string;
  text: string;
  kind: "episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config";
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  speaker: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  occurred_at: string;
  recorded_at: string;
  valid_from: string;
  valid_to: string | null;
  superseded_by: string | null;
  temperature: number;
  heated_at: string;
  access_count: number;
  last_access: string | null;
  sacred: boolean;
  gloss?: string;
  sources?: Source[];
  record?: string | null;
  utc_offset?: number;
}

export interface Message {
  role: string;
  content: string;
  name?: string | null;
  id?: string | null;
  timestamp?: string | null;
  tool_calls?: Record<string, unknown>[];
  tool_call_id?: string | null;
}

export interface Metric {
  key: string;
  latest: number;
  at: string;
  history: number[];
}

export interface NewKey {
  key: ApiKey;
  secret: string;
}

export interface Overview {
  tiers: Record<string, number>;
  due: Record<string, number>;
  temperatures: number[];
  sacred: number;
  spent_today: number;
  caps?: Caps;
}

export interface Page {
  memories: Memory[];
  next: string | null;
}

export interface Passage {
  id: string;
  text: string;
  document_id: string;
  title: string;
  heading: string;
  chunk: number;
  page?: number | null;
}

export interface PatternVersion {
  pattern_id: string;
  version: number;
  at: string;
  reason: string;
  changed: Record<string, unknown>;
}

export interface Plan {
  name: string;
  channels?: ("dense" | "neighbours" | "meanings" | "lexical" | "window" | "session" | "speaker" | "time" | "shape" | "facts" | "links" | "rerank")[];
  candidates?: number;
  weights?: Record<string, number>;
  exact?: boolean;
  closer?: number;
  reread?: number;
  stale_loss?: number;
  statement_loss?: number;
  echo_loss?: number;
  warm?: number;
}

export interface Precomputed {
  texts: number;
  known: number;
  made: number;
}

export interface Procedure {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  name: string;
  description: string;
  steps: unknown[];
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface Question {
  pattern: TaskPattern;
  question: string;
  worth: number;
}

export interface Rating {
  at: string;
  helpful: boolean | null;
  adjustment: number;
  note: string | null;
}

export interface RebuildReport {
  embedder: string;
  dimension: number;
  embedded: number;
  learned?: Difference | null;
}

export interface Receipt {
  rows: Record<string, number>;
  total: number;
}

export interface SearchResult {
  content: string;
  metadata: Record<string, unknown>;
  relevance: number;
  collection: "decisions" | "incidents" | "procedures" | "knowledge" | "configs";
  id: string;
}

export interface SeedReport {
  read: number;
  new: number;
  known: number;
}

export interface Session {
  user_id: string | null;
  session_id: string;
  interactions: number;
  first_at: string;
  last_at: string;
}

export interface SessionHit {
  session_id: string | null;
  score: number;
  memories: Hit[];
  user_id: string | null;
}

export interface Sessions {
  sessions: SessionHit[];
  degraded: string[];
}

export interface Shares {
  floors?: Record<string, number>;
  ceilings?: Record<string, number>;
  record?: number;
  most?: Record<string, number>;
}

export interface SimilarTask {
  task_id: string;
  memory_id: string;
  summary: string;
  success: boolean;
  similarity_score: number;
  reused_count: number;
  task_type?: string;
  errors?: string[];
  occurred_at?: string | null;
}

export interface Snapshot {
  at: string;
  since: string;
  pushed: number;
  held: number;
  by_category: Record<string, number>;
  by_severity: Record<string, number>;
  metrics: Record<string, Metric>;
  active_tasks: ActiveTask[];
  active_goals: Goal[];
  critical: LiveEvent[];
  unkept: number;
  degraded?: string[];
}

export interface Source {
  interaction_id: string;
  position: number;
  message_id: string;
  role: string;
  name: string | null;
  occurred_at: string;
  quote?: string | null;
}

export interface Spending {
  day: string;
  user_id: string | null;
  model: string;
  spent: Spent;
}

export interface Spent {
  tokens_in?: number;
  tokens_out?: number;
  calls?: number;
}

export interface Stats {
  database: string;
  tenant: string;
  embedder: string | null;
  dimension: number | null;
  memories: number;
  memories_by_kind: Record<string, number>;
  interactions: number;
  users: number;
  waiting: number;
  failed: number;
  learner: string | null;
  events_waiting: number;
  events_failed: number;
  embedding_caches: Record<string, CacheUse>;
  keys: number;
}

export interface Step {
  task_id: string;
  number: number;
  iteration: number;
  tool: string;
  parameters: unknown;
  output: string;
  output_chars: number;
  success: boolean;
  duration_ms: number | null;
  created_at: string;
}

export interface Task {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  goal_id: string | null;
  description: string;
  status: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled";
  summary: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  started_at?: string | null;
  finished_at?: string | null;
  archived_at?: string | null;
}

export interface TaskContext {
  similar_tasks: SimilarTask[];
  matching_patterns: TaskPattern[];
  recommendations: string[];
}

export interface TaskPattern {
  id: string;
  user_id: string | null;
  agent_id: string | null;
  session_id: string | null;
  pattern_type: "success" | "failure" | "optimization";
  task_type_pattern: string;
  subject: string;
  description: string;
  success_indicators: string[];
  failure_indicators: string[];
  recommended_context: Record<string, unknown>;
  examples: string[];
  hits: number;
  support: number;
  other_hits: number;
  other_support: number;
  helpful: number;
  unhelpful: number;
  adjustment: number;
  confidence_score: number;
  usage_count: number;
  version: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  retired_at?: string | null;
}

export interface Undeliverable {
  event: Event;
  sink: string;
  attempts: number;
  reason: string | null;
}

export interface UpkeepReport {
  embedded: number;
  indexes_built: number;
  traces_dropped: number;
  learned?: number;
  waiting?: number;
  failed?: number;
  reasons?: string[];
  flushed?: number;
  archived?: Record<string, number>;
  demoted?: number;
  dry_run?: boolean;
}

export interface UserSummary {
  user_id: string | null;
  memories: number;
  interactions: number;
  last_at: string | null;
}

export interface Waiting {
  interaction_id: string;
  user_id: string | null;
  state: "waiting" | "failed";
  attempts: number;
  due_at: string | null;
  reason: string | null;
}

export interface Webhook {
  id: string;
  url: string;
  types: string[];
  created_at: string;
  secret: string;
}

export interface Why {
  plan: string;
  evidence: Evidence[];
  terms: string[];
  temperature: number;
  stale?: boolean;
  led_by?: string | null;
  echo?: boolean;
  losses?: Record<string, number>;
}

/** What each verb takes and answers with. */
export interface Verbs {
  "add": { takes: { messages: string | Record<string, unknown> | Message | (string | Record<string, unknown> | Message)[]; user_id?: string | null; agent_id?: string | null; session_id?: string | null; occurred_at?: string | null; metadata?: Record<string, unknown> | null; tags?: string[] | null; learn?: boolean | "later" }; answers: Added };
  "remember": { takes: { text: string; kind?: "episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config"; user_id?: string | null; agent_id?: string | null; session_id?: string | null; occurred_at?: string | null; metadata?: Record<string, unknown> | null; tags?: string[] | null; sacred?: boolean }; answers: Added };
  "seed": { takes: { text: string; kind?: "episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config"; user_id?: string | null; agent_id?: string | null; tags?: string[] | null; sacred?: boolean; form?: "lines" | "jsonl" | null }; answers: SeedReport };
  "search": { takes: { query: string; limit?: number; plan?: string | Plan; deadline_ms?: number | null; touch?: boolean; asked_at?: string | null; group?: "session" | null; include_cold?: boolean; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null; kinds?: ("episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config")[] | null }; answers: Hits | Sessions };
  "get_all": { takes: { limit?: number; cursor?: string | null; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null; kinds?: ("episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config")[] | null }; answers: Page };
  "get": { takes: { id: string }; answers: Memory };
  "update": { takes: { id: string; text?: string | null; kind?: "episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config" | null; tags?: string[] | null; metadata?: Record<string, unknown> | null; sacred?: boolean | null }; answers: Memory };
  "delete": { takes: { id: string }; answers: Receipt };
  "history": { takes: { id: string }; answers: { changes: Change[] } };
  "links": { takes: { id: string; limit?: number }; answers: { links: Linked[] } };
  "delete_all": { takes: { user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Receipt };
  "semantic_search": { takes: { query: string; collections?: string[] | null; n_results?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null; kinds?: ("episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config")[] | null }; answers: { results: SearchResult[] } };
  "context": { takes: { task: string; max_tokens?: number; tiers?: ("operational" | "working" | "longterm" | "knowledge")[] | null; format?: "markdown" | "xml" | "json" | "messages"; plan?: string | Plan; shares?: Shares | null; deadline_ms?: number | null; asked_at?: string | null; include_cold?: boolean; record?: boolean; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null; kinds?: ("episode" | "fact" | "preference" | "decision" | "incident" | "procedure" | "knowledge" | "execution" | "summary" | "pattern" | "config")[] | null }; answers: Context };
  "contexts": { takes: { limit?: number; user_id?: string | null }; answers: { contexts: ContextRecord[] } };
  "context_record": { takes: { id: string }; answers: ContextRecord };
  "context_feedback": { takes: { id: string; helpful: boolean; note?: string | null }; answers: Record<string, never> };
  "replay_context": { takes: { id: string; as_of?: string | null }; answers: Context };
  "capture.log": { takes: { record: InteractionRecord | Record<string, unknown> }; answers: { id: string } };
  "capture.recent": { takes: { limit?: number; user_id?: string | null; agent_id?: string | null; session_id?: string | null; since?: string | null; until?: string | null; order?: "occurred" | "recorded" }; answers: { interactions: Interaction[] } };
  "capture.get": { takes: { id: string }; answers: Interaction };
  "learned_from": { takes: { interaction_id: string }; answers: { memories: Memory[] } };
  "capture.sessions": { takes: { user_id?: string | null; limit?: number }; answers: { sessions: Session[] } };
  "stats": { takes: Record<string, never>; answers: Stats };
  "overview": { takes: Record<string, never>; answers: Overview };
  "users": { takes: { limit?: number }; answers: { users: UserSummary[] } };
  "audit": { takes: { user_id?: string | null; examples?: number }; answers: Audit };
  "backlog": { takes: { limit?: number }; answers: { interactions: Waiting[] } };
  "spending": { takes: { limit?: number }; answers: { days: Spending[] } };
  "learn": { takes: { retry_failed?: boolean; patient?: boolean }; answers: LearnReport };
  "upkeep": { takes: { dry_run?: boolean; archive_before?: string | null }; answers: UpkeepReport };
  "rebuild": { takes: { dry_run?: boolean }; answers: RebuildReport };
  "undo_rebuild": { takes: Record<string, never>; answers: Difference };
  "precompute": { takes: { texts: string[]; queries?: boolean }; answers: Precomputed };
  "goals.save": { takes: { description: string; id?: string | null; parent_id?: string | null; status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled"; priority?: number; summary?: string; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Goal };
  "goals.list": { takes: { status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled" | null; parent_id?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { goals: Goal[]; next: string | null } };
  "goals.active": { takes: { user_id?: string | null; limit?: number }; answers: { goals: Goal[] } };
  "goals.get": { takes: { id: string }; answers: Goal };
  "goals.update": { takes: { id: string; status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled" | null; description?: string | null; priority?: number | null; summary?: string | null; metadata?: Record<string, unknown> | null; parent_id?: string | null }; answers: Goal };
  "goals.delete": { takes: { id: string }; answers: Receipt };
  "tasks.start": { takes: { description: string; id?: string | null; goal_id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Task };
  "tasks.save": { takes: { id: string; description: string; goal_id?: string | null; status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled"; summary?: string; metadata?: Record<string, unknown> | null; created_at?: string | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Task };
  "tasks.list": { takes: { status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled" | null; goal_id?: string | null; user_id?: string | null; agent_id?: string | null; archived?: boolean | null; limit?: number; cursor?: string | null }; answers: { tasks: Task[]; next: string | null } };
  "tasks.active": { takes: { user_id?: string | null; limit?: number }; answers: { tasks: Task[] } };
  "tasks.relevant": { takes: { task: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { found: FoundTaskOrDecision[] } };
  "tasks.recent_summaries": { takes: { limit?: number; max_tokens?: number; user_id?: string | null }; answers: { summaries: string[] } };
  "tasks.get": { takes: { id: string }; answers: Task };
  "tasks.update": { takes: { id: string; status?: "pending" | "running" | "blocked" | "succeeded" | "failed" | "cancelled" | null; description?: string | null; summary?: string | null; metadata?: Record<string, unknown> | null }; answers: Task };
  "tasks.delete": { takes: { id: string }; answers: Receipt };
  "tasks.step": { takes: { task_id: string; tool: string; parameters?: unknown; output?: unknown; success?: boolean; duration_ms?: number | null; iteration?: number | null }; answers: Step };
  "tasks.steps": { takes: { task_id: string; limit?: number }; answers: { steps: Step[] } };
  "tasks.finish": { takes: { id: string; success: boolean; summary?: string }; answers: Task };
  "tasks.cancel": { takes: { id: string; summary?: string }; answers: Task };
  "decisions.log": { takes: { what: string; who?: string; why?: string; context?: string; alternatives?: string[]; confidence?: number | null; outcome?: string | null; success?: boolean | null; goal_id?: string | null; task_id?: string | null; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Decision };
  "decisions.list": { takes: { who?: string | null; task_id?: string | null; goal_id?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { decisions: Decision[]; next: string | null } };
  "decisions.similar": { takes: { context: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { found: FoundDecision[] } };
  "decisions.get": { takes: { id: string }; answers: Decision };
  "decisions.set_outcome": { takes: { id: string; outcome: string; success?: boolean | null }; answers: Decision };
  "decisions.delete": { takes: { id: string }; answers: Receipt };
  "procedures.save": { takes: { name: string; description?: string; steps?: unknown[]; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Procedure };
  "procedures.list": { takes: { name?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { procedures: Procedure[]; next: string | null } };
  "procedures.find": { takes: { query: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { found: FoundProcedure[] } };
  "procedures.get": { takes: { id: string }; answers: Procedure };
  "procedures.delete": { takes: { id: string }; answers: Receipt };
  "incidents.report": { takes: { title: string; description?: string; severity?: "low" | "medium" | "high" | "critical"; cause?: string; resolution?: string; occurred_at?: string | null; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Incident };
  "incidents.list": { takes: { open?: boolean | null; severity?: "low" | "medium" | "high" | "critical" | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { incidents: Incident[]; next: string | null } };
  "incidents.similar": { takes: { query: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { found: FoundIncident[] } };
  "incidents.get": { takes: { id: string }; answers: Incident };
  "incidents.resolve": { takes: { id: string; resolution: string; cause?: string | null }; answers: Incident };
  "incidents.delete": { takes: { id: string }; answers: Receipt };
  "configs.record": { takes: { key: string; old: unknown; new: unknown; who?: string; why?: string; occurred_at?: string | null; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: ConfigChange };
  "configs.list": { takes: { key?: string | null; who?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { changes: ConfigChange[]; next: string | null } };
  "configs.get": { takes: { id: string }; answers: ConfigChange };
  "configs.delete": { takes: { id: string }; answers: Receipt };
  "configs.current": { takes: { key: string; as_of?: string | null; user_id?: string | null }; answers: { change: ConfigChange | null } };
  "configs.history": { takes: { key: string; user_id?: string | null; limit?: number }; answers: { changes: ConfigChange[] } };
  "knowledge.add": { takes: { text: string; title?: string | null; origin?: string; media_type?: "text/markdown" | "text/plain" | "text/html" | "application/pdf"; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Imported };
  "knowledge.import_file": { takes: { source: string; media_type?: string | null; title?: string | null; origin?: string | null; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Imported };
  "knowledge.list": { takes: { origin?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { documents: Document[]; next: string | null } };
  "knowledge.search": { takes: { query: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { found: FoundPassage[] } };
  "knowledge.get": { takes: { id: string }; answers: Document };
  "knowledge.text": { takes: { id: string }; answers: { text: string } };
  "knowledge.delete": { takes: { id: string }; answers: Receipt };
  "experience.store": { takes: { task_id: string; summary: string; success: boolean; error_patterns?: unknown; auto_extract_patterns?: boolean; task_type?: string; description?: string | null; code?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: Execution };
  "experience.list": { takes: { success?: boolean | null; task_id?: string | null; task_type?: string | null; user_id?: string | null; limit?: number; cursor?: string | null }; answers: { executions: Execution[]; next: string | null } };
  "experience.search_similar": { takes: { description: string; top_k?: number; similarity_threshold?: number; success_only?: boolean; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { tasks: SimilarTask[] } };
  "experience.get_task_context": { takes: { description?: string | null; top_k?: number; task_id?: string | null; task_type?: string; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: TaskContext };
  "experience.warn": { takes: { action: string; min_similarity?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: Caution };
  "experience.used": { takes: { memory_ids: string[] }; answers: Record<string, never> };
  "experience.get": { takes: { id: string }; answers: Execution };
  "experience.delete": { takes: { id: string }; answers: Receipt };
  "patterns.extract": { takes: { task_type_pattern?: string | null; pattern_type?: "success" | "failure" | "optimization" | null; min_samples?: number; user_id?: string | null }; answers: { patterns: TaskPattern[] } };
  "patterns.learn_from": { takes: { user_id: string | null; task_type?: string }; answers: { patterns: TaskPattern[] } };
  "patterns.search": { takes: { task_type?: string | null; pattern_type?: "success" | "failure" | "optimization" | null; limit?: number; retired?: boolean; user_id?: string | null }; answers: { patterns: TaskPattern[] } };
  "patterns.match": { takes: { description: string; task_type?: string; limit?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { patterns: TaskPattern[] } };
  "patterns.get": { takes: { id: string }; answers: TaskPattern };
  "patterns.delete": { takes: { id: string }; answers: Receipt };
  "patterns.feedback": { takes: { pattern_id: string; helpful?: boolean | null; confidence_adjustment?: number; note?: string | null }; answers: TaskPattern };
  "patterns.ratings": { takes: { pattern_id: string }; answers: { ratings: Rating[] } };
  "patterns.evolution": { takes: { pattern_id: string }; answers: { versions: PatternVersion[] } };
  "patterns.ask": { takes: { limit?: number; user_id?: string | null }; answers: { questions: Question[] } };
  "patterns.clusters": { takes: { user_id?: string | null; min_similarity?: number }; answers: { clusters: Cluster[] } };
  "patterns.store": { takes: { trigger: string; action: string; id?: string | null; metadata?: Record<string, unknown> | null; user_id?: string | null; agent_id?: string | null; session_id?: string | null }; answers: CachedPattern };
  "patterns.list_cached": { takes: { user_id?: string | null; limit?: number; cursor?: string | null }; answers: { patterns: CachedPattern[]; next: string | null } };
  "patterns.find": { takes: { trigger: string; min_similarity?: number; user_id?: string | null; shared?: string[]; agent_id?: string | null; session_id?: string | null; tags?: string[] | null; filters?: Record<string, unknown> | null; since?: string | null; until?: string | null; as_of?: string | null }; answers: { pattern: CachedPattern | null } };
  "patterns.get_cached": { takes: { id: string }; answers: CachedPattern };
  "patterns.used": { takes: { id: string; success: boolean }; answers: CachedPattern };
  "preferences.all": { takes: { user_id?: string | null; agent_id?: string | null }; answers: { values: Record<string, unknown> } };
  "preferences.get": { takes: { key: string; user_id?: string | null; agent_id?: string | null }; answers: { value: unknown } };
  "preferences.set": { takes: { key: string; value: unknown; user_id?: string | null; agent_id?: string | null }; answers: Entry };
  "preferences.delete": { takes: { key: string; user_id?: string | null; agent_id?: string | null }; answers: Receipt };
  "persona.all": { takes: { agent_id?: string | null; user_id?: string | null }; answers: { values: Record<string, unknown> } };
  "persona.get": { takes: { key: string; agent_id?: string | null; user_id?: string | null }; answers: { value: unknown } };
  "persona.set": { takes: { key: string; value: unknown; agent_id?: string | null; user_id?: string | null }; answers: Entry };
  "persona.delete": { takes: { key: string; agent_id?: string | null; user_id?: string | null }; answers: Receipt };
  "agents.list": { takes: { status?: string | null }; answers: { agents: AgentState[] } };
  "agents.get": { takes: { agent_id: string }; answers: AgentState };
  "agents.save": { takes: { agent_id: string; status?: string; state?: Record<string, unknown> | null }; answers: AgentState };
  "agents.delete": { takes: { agent_id: string }; answers: Receipt };
  "operational.push_event": { takes: { category: string; message?: string; severity?: "debug" | "info" | "warning" | "error" | "critical"; source?: string; data?: unknown; at?: string | null }; answers: LiveEvent };
  "operational.get_recent": { takes: { count?: number; category?: string | null; severity?: "debug" | "info" | "warning" | "error" | "critical" | null }; answers: { events: LiveEvent[] } };
  "operational.kept": { takes: { limit?: number; category?: string | null; since?: string | null }; answers: { events: LiveEvent[] } };
  "operational.update_metric": { takes: { key: string; value: number }; answers: Record<string, never> };
  "operational.get_metric": { takes: { key: string }; answers: Metric };
  "operational.active_tasks": { takes: Record<string, never>; answers: { tasks: ActiveTask[] } };
  "operational.set_active_task": { takes: { id: string; state: unknown }; answers: ActiveTask };
  "operational.end_active_task": { takes: { id: string }; answers: { ended: boolean } };
  "operational.get_system_snapshot": { takes: { stored?: boolean }; answers: Snapshot };
  "operational.count_unkept": { takes: Record<string, never>; answers: { unkept: number } };
  "operational.flush": { takes: Record<string, never>; answers: { flushed: number } };
  "operational.clear": { takes: Record<string, never>; answers: Record<string, never> };
  "events.recent": { takes: { limit?: number; type?: string }; answers: { events: Event[] } };
  "events.publish": { takes: { type: string; payload?: Record<string, unknown> | null; user_id?: string | null }; answers: Record<string, never> };
  "events.undelivered": { takes: { limit?: number }; answers: { undelivered: Undeliverable[] } };
  "events.deliver": { takes: Record<string, never>; answers: Delivered };
  "events.webhooks": { takes: Record<string, never>; answers: { webhooks: Webhook[] } };
  "events.add_webhook": { takes: { url: string; secret?: string | null; types?: string[] }; answers: Webhook };
  "events.remove_webhook": { takes: { id: string }; answers: Record<string, never> };
  "keys.create": { takes: { name: string; role?: "read" | "write" | "admin"; user_id?: string | null; expires_at?: string | null }; answers: NewKey };
  "keys.list": { takes: { limit?: number }; answers: { keys: ApiKey[] } };
  "keys.revoke": { takes: { id: string }; answers: ApiKey };
  "audit_log.list": { takes: { limit?: number; action?: string | null; since?: string | null }; answers: { entries: AuditEntry[] } };
}

/** The method and path of each verb, below /api/v1; what is in braces is taken from the arguments. */
export const routes: Record<keyof Verbs, readonly [string, string]> = {
  "add": ["POST", "/memories"],
  "remember": ["POST", "/memories/remember"],
  "seed": ["POST", "/memories/seed"],
  "search": ["POST", "/memories/search"],
  "get_all": ["GET", "/memories"],
  "get": ["GET", "/memories/{id}"],
  "update": ["PATCH", "/memories/{id}"],
  "delete": ["DELETE", "/memories/{id}"],
  "history": ["GET", "/memories/{id}/history"],
  "links": ["GET", "/memories/{id}/links"],
  "delete_all": ["POST", "/erase"],
  "semantic_search": ["POST", "/collections/search"],
  "context": ["POST", "/contexts"],
  "contexts": ["GET", "/contexts"],
  "context_record": ["GET", "/contexts/{id}"],
  "context_feedback": ["POST", "/contexts/{id}/feedback"],
  "replay_context": ["POST", "/contexts/{id}/replay"],
  "capture.log": ["POST", "/interactions"],
  "capture.recent": ["GET", "/interactions"],
  "capture.get": ["GET", "/interactions/{id}"],
  "learned_from": ["GET", "/interactions/{interaction_id}/learned"],
  "capture.sessions": ["GET", "/sessions"],
  "stats": ["GET", "/stats"],
  "overview": ["GET", "/overview"],
  "users": ["GET", "/users"],
  "audit": ["GET", "/audit"],
  "backlog": ["GET", "/backlog"],
  "spending": ["GET", "/spending"],
  "learn": ["POST", "/learn"],
  "upkeep": ["POST", "/upkeep"],
  "rebuild": ["POST", "/rebuild"],
  "undo_rebuild": ["POST", "/rebuild/undo"],
  "precompute": ["POST", "/precompute"],
  "goals.save": ["POST", "/goals"],
  "goals.list": ["GET", "/goals"],
  "goals.active": ["GET", "/active/goals"],
  "goals.get": ["GET", "/goals/{id}"],
  "goals.update": ["PATCH", "/goals/{id}"],
  "goals.delete": ["DELETE", "/goals/{id}"],
  "tasks.start": ["POST", "/tasks"],
  "tasks.save": ["PUT", "/tasks/{id}"],
  "tasks.list": ["GET", "/tasks"],
  "tasks.active": ["GET", "/active/tasks"],
  "tasks.relevant": ["POST", "/tasks/relevant"],
  "tasks.recent_summaries": ["GET", "/summaries"],
  "tasks.get": ["GET", "/tasks/{id}"],
  "tasks.update": ["PATCH", "/tasks/{id}"],
  "tasks.delete": ["DELETE", "/tasks/{id}"],
  "tasks.step": ["POST", "/tasks/{task_id}/steps"],
  "tasks.steps": ["GET", "/tasks/{task_id}/steps"],
  "tasks.finish": ["POST", "/tasks/{id}/finish"],
  "tasks.cancel": ["POST", "/tasks/{id}/cancel"],
  "decisions.log": ["POST", "/decisions"],
  "decisions.list": ["GET", "/decisions"],
  "decisions.similar": ["POST", "/decisions/similar"],
  "decisions.get": ["GET", "/decisions/{id}"],
  "decisions.set_outcome": ["POST", "/decisions/{id}/outcome"],
  "decisions.delete": ["DELETE", "/decisions/{id}"],
  "procedures.save": ["POST", "/procedures"],
  "procedures.list": ["GET", "/procedures"],
  "procedures.find": ["POST", "/procedures/find"],
  "procedures.get": ["GET", "/procedures/{id}"],
  "procedures.delete": ["DELETE", "/procedures/{id}"],
  "incidents.report": ["POST", "/incidents"],
  "incidents.list": ["GET", "/incidents"],
  "incidents.similar": ["POST", "/incidents/similar"],
  "incidents.get": ["GET", "/incidents/{id}"],
  "incidents.resolve": ["POST", "/incidents/{id}/resolve"],
  "incidents.delete": ["DELETE", "/incidents/{id}"],
  "configs.record": ["POST", "/configs"],
  "configs.list": ["GET", "/configs"],
  "configs.get": ["GET", "/configs/{id}"],
  "configs.delete": ["DELETE", "/configs/{id}"],
  "configs.current": ["GET", "/settings/{key}"],
  "configs.history": ["GET", "/settings/{key}/history"],
  "knowledge.add": ["POST", "/knowledge"],
  "knowledge.import_file": ["POST", "/knowledge/files"],
  "knowledge.list": ["GET", "/knowledge"],
  "knowledge.search": ["POST", "/knowledge/search"],
  "knowledge.get": ["GET", "/knowledge/{id}"],
  "knowledge.text": ["GET", "/knowledge/{id}/text"],
  "knowledge.delete": ["DELETE", "/knowledge/{id}"],
  "experience.store": ["POST", "/experience"],
  "experience.list": ["GET", "/experience"],
  "experience.search_similar": ["POST", "/experience/similar"],
  "experience.get_task_context": ["POST", "/experience/context"],
  "experience.warn": ["POST", "/experience/warn"],
  "experience.used": ["POST", "/experience/used"],
  "experience.get": ["GET", "/experience/{id}"],
  "experience.delete": ["DELETE", "/experience/{id}"],
  "patterns.extract": ["POST", "/patterns/extract"],
  "patterns.learn_from": ["POST", "/patterns/learn"],
  "patterns.search": ["GET", "/patterns"],
  "patterns.match": ["POST", "/patterns/match"],
  "patterns.get": ["GET", "/patterns/{id}"],
  "patterns.delete": ["DELETE", "/patterns/{id}"],
  "patterns.feedback": ["POST", "/patterns/{pattern_id}/feedback"],
  "patterns.ratings": ["GET", "/patterns/{pattern_id}/ratings"],
  "patterns.evolution": ["GET", "/patterns/{pattern_id}/evolution"],
  "patterns.ask": ["GET", "/questions"],
  "patterns.clusters": ["GET", "/clusters"],
  "patterns.store": ["POST", "/cached-patterns"],
  "patterns.list_cached": ["GET", "/cached-patterns"],
  "patterns.find": ["POST", "/cached-patterns/find"],
  "patterns.get_cached": ["GET", "/cached-patterns/{id}"],
  "patterns.used": ["POST", "/cached-patterns/{id}/used"],
  "preferences.all": ["GET", "/preferences"],
  "preferences.get": ["GET", "/preferences/{key}"],
  "preferences.set": ["PUT", "/preferences/{key}"],
  "preferences.delete": ["DELETE", "/preferences/{key}"],
  "persona.all": ["GET", "/persona"],
  "persona.get": ["GET", "/persona/{key}"],
  "persona.set": ["PUT", "/persona/{key}"],
  "persona.delete": ["DELETE", "/persona/{key}"],
  "agents.list": ["GET", "/agents"],
  "agents.get": ["GET", "/agents/{agent_id}"],
  "agents.save": ["PUT", "/agents/{agent_id}"],
  "agents.delete": ["DELETE", "/agents/{agent_id}"],
  "operational.push_event": ["POST", "/operational/events"],
  "operational.get_recent": ["GET", "/operational/events"],
  "operational.kept": ["GET", "/operational/kept"],
  "operational.update_metric": ["PUT", "/operational/metrics/{key}"],
  "operational.get_metric": ["GET", "/operational/metrics/{key}"],
  "operational.active_tasks": ["GET", "/operational/tasks"],
  "operational.set_active_task": ["PUT", "/operational/tasks/{id}"],
  "operational.end_active_task": ["DELETE", "/operational/tasks/{id}"],
  "operational.get_system_snapshot": ["GET", "/operational/snapshot"],
  "operational.count_unkept": ["GET", "/operational/unkept"],
  "operational.flush": ["POST", "/operational/flush"],
  "operational.clear": ["POST", "/operational/clear"],
  "events.recent": ["GET", "/events"],
  "events.publish": ["POST", "/events"],
  "events.undelivered": ["GET", "/events/undelivered"],
  "events.deliver": ["POST", "/events/deliver"],
  "events.webhooks": ["GET", "/webhooks"],
  "events.add_webhook": ["POST", "/webhooks"],
  "events.remove_webhook": ["DELETE", "/webhooks/{id}"],
  "keys.create": ["POST", "/keys"],
  "keys.list": ["GET", "/keys"],
  "keys.revoke": ["DELETE", "/keys/{id}"],
  "audit_log.list": ["GET", "/audit-log"],
};
