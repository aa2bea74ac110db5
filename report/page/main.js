// Draws the page when it has been read.
import { start } from "./kit.js";

start();
