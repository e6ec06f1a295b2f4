"""The MCP server: tools, resources and a prompt over an open memory. The package `mcp` is imported in here only."""
