// The styles first, so that those of a page come after them.
import "./style.css";
import "./parts.css";
import { render } from "preact";
import { App } from "./app";

const root = document.getElementById("app");
if (root) render(<App />, root);
