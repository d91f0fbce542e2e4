/**
 * Long enough for what was sent at once to arrive: between the look and the deed, as in a service with a remote store.
 */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
