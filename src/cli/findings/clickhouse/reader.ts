/**
 * A reader of one server: everything it asks is read-only, and in one session.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import type { FindingsQuery } from "../../../findings/sql/query-scope.ts";
import type { ClickHouseAddress } from "./address.ts";
import { ClickHouseError, SERVER_ERRORS } from "./clickhouse-error.ts";
import { askClickHouse } from "./request.ts";

/** Bytes of one answer: far more than a thousand findings are. */
const MAX_BYTES = 64_000_000;
// The server's own limit comes first, so that it says what happened.
const GRACE_MILLISECONDS = 5_000;
const SESSION_SECONDS = 60;

/** Asks one server. */
export class ClickHouseReader {
  readonly #address: ClickHouseAddress;
  readonly #milliseconds: number;
  readonly #session = randomUUID();
  // A user whose profile says `readonly = 1` may not set anything, and needs nothing set.
  #maySet = true;

  constructor(address: ClickHouseAddress, milliseconds: number) {
    this.#address = address;
    this.#milliseconds = milliseconds;
  }

  /** True when temporary tables are of use: a user who may set nothing may not make one either. */
  get maySet(): boolean {
    return this.#maySet;
  }

  /**
   * The lines of the answer.
   *
   * @throws {ClickHouseError}
   */
  async ask({ sql, parameters }: FindingsQuery): Promise<Record<string, unknown>[]> {
    try {
      return await this.#send(sql, parameters);
    } catch (error) {
      const refused = error instanceof ClickHouseError && error.server === SERVER_ERRORS.readonly;
      if (!refused || !this.#maySet) throw error;
      this.#maySet = false;
      return await this.#send(sql, parameters);
    }
  }

  #send(sql: string, parameters: Readonly<Record<string, string>>): Promise<Record<string, unknown>[]> {
    const settings = {
      // The answer is held back until it is whole: an error then has a status of its own.
      wait_end_of_query: "1",
      session_id: this.#session,
      session_timeout: String(SESSION_SECONDS),
      ...(this.#maySet ? this.#limits() : {}),
    };
    const limits = { milliseconds: this.#milliseconds + GRACE_MILLISECONDS, bytes: MAX_BYTES };
    return askClickHouse(this.#address, { sql, parameters, settings }, limits);
  }

  #limits(): Record<string, string> {
    return {
      // Reading, settings, and temporary tables; nothing that outlives the session.
      readonly: "2",
      max_execution_time: String(Math.ceil(this.#milliseconds / 1_000)),
      cancel_http_readonly_queries_on_client_close: "1",
    };
  }
}
