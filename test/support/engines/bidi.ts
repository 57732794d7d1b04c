type Message = {
  id?: number;
  error?: string;
  message?: string;
  result?: unknown;
  method?: string;
  params?: unknown;
};

/** A WebDriver BiDi connection: numbered commands over a WebSocket, and events in between. */
export async function connectBidi(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners: ((message: Message) => void)[] = [];
  let lastId = 0;
  socket.addEventListener("message", ({ data }) => {
    const message: Message = JSON.parse(data);
    const response = message.id === undefined ? undefined : waiting.get(message.id);
    if (message.error) response?.reject(new Error(`${message.error}: ${message.message}`));
    else if (response) response.resolve(message.result);
    else for (const listener of listeners) listener(message);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return {
    send<Result>(method: string, params: object): Promise<Result> {
      const id = ++lastId;
      const response = Promise.withResolvers<unknown>();
      waiting.set(id, response);
      socket.send(JSON.stringify({ id, method, params }));
      return response.promise.finally(() => waiting.delete(id)) as Promise<Result>;
    },
    on<Params>(event: string, listener: (params: Params) => void): void {
      listeners.push(({ method, params }) => method === event && listener(params as Params));
    },
    close: () => socket.close(),
  };
}
