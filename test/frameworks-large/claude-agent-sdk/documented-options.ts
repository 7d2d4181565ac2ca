/** What the documented examples take: options of a query, and where the model and the endpoint are. */
import { hermetic } from "./agent.ts";
import { Collector } from "./collector.ts";
import { startModel } from "./fake-model.ts";

export const model = await startModel();
export const collector = await new Collector().start();
const folder = hermetic(model.url);
export const endpoint = collector.url;
export const options = folder.options();

export function removeAll(): void {
  model.close();
  collector.close();
  folder.remove();
}
