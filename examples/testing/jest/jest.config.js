/** Jest runs ES modules as they are; Babel takes the types away. */
export default {
  testEnvironment: "node",
  rootDir: "..",
  testMatch: ["<rootDir>/jest/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": ["babel-jest", { presets: ["@babel/preset-typescript"] }] },
  // Only here, inside the package itself: a project that has it installed needs no mapping.
  moduleNameMapper: {
    "^agent-reliability-otel-labels$": "<rootDir>/../../dist/index.js",
    "^agent-reliability-otel-labels/testing$": "<rootDir>/../../dist/testing/index.js",
  },
};
