/** VoltAgent asks for a list of models when it is loaded. Import this first: nothing leaves the process then. */
globalThis.fetch = () => Promise.reject(new Error("there is no network here"));
