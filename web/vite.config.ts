import { defineConfig } from "vite";

export default defineConfig({
  build: {
    // Where the package keeps it, so that a wheel has it.
    outDir: "../src/emberkeep/entrypoints/http/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing inline: the page's policy allows only what the server sends as a file.
    assetsInlineLimit: 0,
  },
  // `npm run dev` beside `emberkeep serve`.
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8787",
      "/healthz": "http://127.0.0.1:8787",
      "/readyz": "http://127.0.0.1:8787",
    },
  },
});
