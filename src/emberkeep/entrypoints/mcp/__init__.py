"""The MCP server: tools, resources and a prompt over an open memory. Only this folder imports the package `mcp`."""
