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

/** Every member is there, and all but one are null (D04). */
export function keepOAuthProvider(sent: OAuthProviderMutate): OAuthProvider {
  const { github, ...others } = sent;
  const kept = Object.entries(others).map(([name, provider]) => [name, provider && keepCommon(provider)]);
  return {
    ...NO_PROVIDER,
    ...(Object.fromEntries(kept) as Partial<OAuthProvider>),
    ...(github && {
      github: { ...keepCommon(github), teams: github.teams ?? [], organizations: github.organizations ?? [] },
    }),
  };
}

function keepCommon(sent: NonNullable<OAuthProviderMutate['google']>) {
  return {
    client_id: sent.client_id ?? null,
    client_secret: sent.client_secret ?? null,
    scopes: sent.scopes ?? [],
    email_addresses: sent.email_addresses ?? [],
    email_domains: sent.email_domains ?? [],
  };
}
