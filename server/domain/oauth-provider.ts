/** The identity provider of an OAuth module: one of eight (source §2.8, D20). */
import type { OAuthProvider, OAuthProviderMutate } from './types.ts';

const NO_PROVIDER: OAuthProvider = {
  github: null,
  facebook: null,
  microsoft: null,
  google: null,
  linkedin: null,
  gitlab: null,
  twitch: null,
  amazon: null,
};

/**
 * Every member is there, and all but one are null (D04).
 * @param sent with the defaults of the contract: what has none may be omitted
 */
export function keepOAuthProvider(sent: OAuthProviderMutate): OAuthProvider {
  const kept = Object.entries(sent).map(([name, provider]) => [
    name,
    provider && {
      ...provider,
      client_id: provider.client_id ?? null,
      client_secret: provider.client_secret ?? null,
    },
  ]);
  return { ...NO_PROVIDER, ...(Object.fromEntries(kept) as Partial<OAuthProvider>) };
}
