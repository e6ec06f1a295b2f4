"""The headings of the help, and the commands under each, in the order in which they are listed."""

PANELS = {
    "Look around": ("demo", "doctor", "stats"),
    "Keep and forget": ("add", "remember", "seed", "knowledge", "update", "delete", "erase"),
    "Find": ("search", "context", "get", "list", "history", "log", "contexts", "context-feedback", "context-replay"),
    "See what agents do": ("goals", "tasks", "decisions"),
    "Learn": ("learn", "backlog", "worker", "rebuild", "audit", "spend", "models", "precompute"),
    "Serve": ("serve", "mcp", "keys", "audit-log", "events", "webhooks", "deliver"),
    "Look after a store": ("upkeep", "migrate", "backup", "restore", "import", "export", "bench"),
}
ORDER = tuple(name for names in PANELS.values() for name in names)
PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names}
