/** A process that counts in a last-seen store, or dies while it holds the lock. Started by the store's tests. */
import { FileLastSeenStore } from "../../../src/policies/last-seen/file-last-seen-store.ts";

const [, , path = "", task, rounds] = process.argv;
const store = new FileLastSeenStore(path, { patience: 60_000 });

for (let round = 0; round < Number(rounds ?? 1); round++) {
  await store.update("counter", (last) => {
    if (task === "die") process.kill(process.pid, "SIGKILL");
    return { version: String(Number(last?.version ?? 0) + 1), sha256: "a".repeat(64) };
  });
}
