/** The clause of a rule that `info.description` states in these words. */
export const stated = (words: string) => ({ clause: '/info/description', words }) as const;
