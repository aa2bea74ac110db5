// For all JavaScript of pages and of their tests; tests/page/sources runs it.
import css from "@eslint/css";
import js from "@eslint/js";
import globals from "globals";

export default [
  {
    files: ["**/*.css"],
    plugins: { css },
    language: "css/css",
    rules: { ...css.configs.recommended.rules, "css/use-baseline": "off", "css/no-important": "error" },
  },
  { files: ["**/*.js", "**/*.mjs"], ...js.configs.recommended },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: { ...globals.browser, vegaEmbed: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property,
          message: "Texts of documents become text nodes.",
        })),
      ],
      "no-implied-eval": "error",
      "no-new-func": "error",
    },
  },
  { files: ["report/page/format.js"], rules: { "no-control-regex": "off" } }, // control characters are what it escapes
  { files: ["tests/page/*.mjs"], languageOptions: { globals: globals.node } },
];
