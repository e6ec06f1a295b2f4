// Browsers start no worker for a page that was opened as a file. There, search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    #inside;

    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const script = frame.contentDocument.createElement("script");
      this.#inside = new Promise((resolve, reject) => {
        script.onload = () => resolve(frame.contentWindow);
        script.onerror = () => reject(new Error(`cannot load ${address}`));
      });
      frame.contentWindow.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      script.src = address;
      frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      this.#inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
