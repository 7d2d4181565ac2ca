/** A client and its connection as the SDKs build them, without any SDK: nothing in this package needs one. */

type Receive = (message: unknown) => void;

/** One end of a connection; a test plays the other end. */
export class FakeTransport {
  onmessage?: Receive;
  onclose?: () => void;
  readonly sent: { id?: number; method?: string; params?: unknown }[] = [];

  async send(message: { id?: number; method?: string }, _options?: unknown): Promise<void> {
    this.sent.push(message);
  }
}

/** Counts its requests and matches answers by id, as both SDKs do. */
export class FakeClient {
  transport: FakeTransport | undefined;
  readonly #waiting = new Map<number, (message: never) => void>();
  #ids = 0;

  async connect(transport: FakeTransport): Promise<void> {
    this.transport = transport;
    const before = transport.onmessage;
    transport.onmessage = (message) => {
      before?.(message);
      const { id } = message as { id: number };
      this.#waiting.get(id)?.(message as never);
    };
  }

  request(
    request: { readonly method: string; readonly params?: object },
    _schema?: object,
    options?: object,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#ids++;
      this.#waiting.set(id, ({ result, error }: { result: unknown; error: object | undefined }) => {
        if (error === undefined) resolve(result);
        else reject(Object.assign(new Error("failed"), error));
      });
      this.transport?.send({ ...request, id }, options).catch(reject);
    });
  }

  callTool(name: string, args?: unknown, options?: object): Promise<unknown> {
    return this.request({ method: "tools/call", params: { name, arguments: args } }, {}, options);
  }

  /** Settles a request without an answer: what a total timeout does. */
  reject(id: number, error: object): void {
    this.#waiting.get(id)?.({ error } as never);
  }
}
