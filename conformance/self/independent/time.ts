/** RFC 3339 with a numeric offset and whole seconds. */
export const now = () => new Date().toISOString().replace(/\.[0-9]+Z$/, '+00:00');
