// Removes the build output, so that a file that left `src` leaves the package too.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
