/** The routes of one edge: the simplest believable service. */
import { isAmbiguous, type Json, patched, shownRoute, WITH_UPSTREAM, MODULES } from './route.ts';

export interface ModelRoute {
  /** As the service names it. */
  id: string;
  shown: Json;
}

export class RoutesModel {
  /** In the order of creation (D02). */
  readonly routes: ModelRoute[] = [];
  /** Whether the edge passes TLS through. */
  upstream = false;

  find(id: string): ModelRoute | undefined {
    return this.routes.find((route) => route.id === id);
  }

  /** @returns the status that is due; what is created is added by `add`, once its id is known */
  create(body: Json): 201 | 409 {
    return this.#fits(shownRoute(body)) ? 201 : 409;
  }

  add(id: string, body: Json): void {
    this.routes.push({ id, shown: shownRoute(body) });
  }

  patch(id: string, patch: Json): 200 | 404 | 409 {
    const route = this.find(id);
    if (!route) return 404;
    const shown = patched(route.shown, patch);
    if (!this.#fits(shown, route)) return 409;
    route.shown = shown;
    return 200;
  }

  remove(id: string): 204 | 404 {
    const at = this.routes.findIndex((route) => route.id === id);
    if (at < 0) return 404;
    this.routes.splice(at, 1);
    return 204;
  }

  switch(upstream: boolean): 200 | 409 {
    if (upstream && this.routes.some(({ shown }) => this.#disallowed(shown))) return 409;
    this.upstream = upstream;
    return 200;
  }

  #fits(shown: Json, own?: ModelRoute): boolean {
    const taken = this.routes.some(
      (route) =>
        route !== own && route.shown['match'] === shown['match'] && route.shown['match_type'] === shown['match_type'],
    );
    return !taken && !isAmbiguous(shown) && !(this.upstream && this.#disallowed(shown));
  }

  #disallowed(shown: Json): boolean {
    return MODULES.some((name) => !WITH_UPSTREAM.includes(name) && shown[name] !== null);
  }
}
