// Keeps the whole page, so that it opens without a network. A new build has other digests and replaces everything at once.

declare const VERSION: string;
declare const FILES: string[];

const scope = self as unknown as ServiceWorkerGlobalScope;
const KEPT = `picardc-playground-${VERSION}`;

scope.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEPT);
    // Past the cache of the browser: the files must be of one build.
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
    await scope.skipWaiting();
  };
  event.waitUntil(keep());
});

scope.addEventListener("activate", (event) => {
  const replace = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("picardc-playground-") && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  event.waitUntil(replace());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(KEPT);
    return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});
