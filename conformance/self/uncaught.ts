/**
 * Requirements that no planted fault shows, each with the reason in a sentence. A requirement is here or
 * some fault names it; a test holds this to be true.
 */
export const UNCAUGHT: Record<string, string> = {};
