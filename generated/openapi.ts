/** The types of openapi.yaml. Made by `npm run generate`. */

export interface paths {
    "/edges/https": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List HTTPS edges
         * Returns the edges, newest first, one page at a time. Follow `next_page_uri` until it is null.
         */
        get: operations["listEdges"];
        put?: never;
        /**
         * Create an HTTPS edge
         * Creates an edge and returns it. No field is required: `{}` creates an edge without
         * hostports.
         */
        post: operations["createEdge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an HTTPS edge
         * Returns the edge with its modules and all its routes.
         */
        get: operations["getEdge"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTPS edge
         * Deletes the edge and all its routes, atomically.
         */
        delete: operations["deleteEdge"];
        options?: never;
        head?: never;
        /**
         * Update an HTTPS edge
         * Changes the properties that are sent and no others, atomically: an omitted property stays as
         * it is; null removes a module and resets a text or a list to its default; an object or a list
         * replaces the old one whole.
         *
         * A change that contradicts other settings of the edge or of its routes is refused with 409
         * (D09).
         */
        patch: operations["updateEdge"];
        trace?: never;
    };
    "/edges/https/{edge_id}/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a route
         * Adds a route with all its modules to the edge, atomically. `match_type` and `match` are
         * required, and together unique in the edge: else 409 `already_exists`. A route that
         * contradicts its edge is refused with 409 `conflict`: with `terminate_at: upstream`, a route
         * takes `backend` and `ip_restriction` only (D09). An edge has at most 1,000 routes.
         */
        post: operations["createRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edges/https/{edge_id}/routes/{route_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a route
         * Returns the route, or 404 if the edge has no route with this id.
         */
        get: operations["getRoute"];
        put?: never;
        post?: never;
        /**
         * Delete a route
         * Deletes the route.
         */
        delete: operations["deleteRoute"];
        options?: never;
        head?: never;
        /**
         * Update a route
         * Changes the properties that are sent and no others, atomically: an omitted property stays as
         * it is; null removes a module and resets a text to its default; a module replaces the old one
         * whole. One request can remove one sign-in module and set another, and the route is never
         * open in between.
         *
         * A change that contradicts other settings is refused with 409: `already_exists` for a `match`
         * that another route has, `conflict` for a second enabled sign-in module (D21) and for a
         * module that the edge does not allow (D09).
         */
        patch: operations["updateRoute"];
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event sources
         * Returns the sources of the subscription in ascending order of `type`, one page at a time.
         * Follow `uri` until it is null. A subscription without sources gives an empty list (D14).
         */
        get: operations["listEventSources"];
        put?: never;
        /**
         * Add an event source
         * Adds one event type to the subscription. A type that the subscription has already is refused
         * with 409. Any subscription id is accepted (D14): no operation of this API creates
         * subscriptions.
         */
        post: operations["createEventSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event_subscriptions/{subscription_id}/sources/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event source
         * Returns the source, or 404 if the subscription has no source of this type.
         */
        get: operations["getEventSource"];
        put?: never;
        post?: never;
        /**
         * Remove an event source
         * Removes the event type from the subscription, or responds with 404 if it has no source of this type.
         */
        delete: operations["deleteEventSource"];
        options?: never;
        head?: never;
        /**
         * Change the type of an event source
         * Replaces the event type in the path, the current one, by `type` in the body, the new one,
         * atomically (D12):
         *
         * - The current type is not a source of the subscription: 404.
         * - No body, `{}` or the current type: 200, and nothing changes.
         * - The new type is another source of the subscription already: 409.
         */
        patch: operations["updateEventSource"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ResourceId: ResourceId;
        Uri: Uri;
        CreatedAt: CreatedAt;
        Description: Description;
        DescriptionOrNull: DescriptionOrNull;
        DescriptionOrEmpty: DescriptionOrEmpty;
        Metadata: Metadata;
        MetadataOrNull: MetadataOrNull;
        MetadataOrEmpty: MetadataOrEmpty;
        Enabled: Enabled;
        Hostport: Hostport;
        HostportList: HostportList;
        HostportListOrNull: HostportListOrNull;
        HostportListOrEmpty: HostportListOrEmpty;
        EventType: EventType;
        TLSVersion: TLSVersion;
        TerminateAt: TerminateAt;
        MatchType: MatchType;
        Match: Match;
        Secret: Secret;
        HeaderName: HeaderName;
        HeaderValue: HeaderValue;
        HeaderMap: HeaderMap;
        HeaderNameList: HeaderNameList;
        WebhookProvider: WebhookProvider;
        TrafficPolicyValue: TrafficPolicyValue;
        UserAgentExpression: UserAgentExpression;
        UserAgentExpressionList: UserAgentExpressionList;
        CertificateAuthorityIdList: CertificateAuthorityIdList;
        IPPolicyIdList: IPPolicyIdList;
        TrippedDuration: TrippedDuration;
        RollingWindow: RollingWindow;
        NumBuckets: NumBuckets;
        VolumeThreshold: VolumeThreshold;
        ErrorThresholdPercentage: ErrorThresholdPercentage;
        OptionsPassthrough: OptionsPassthrough;
        CookiePrefix: CookiePrefix;
        InactivityTimeout: InactivityTimeout;
        MaximumDuration: MaximumDuration;
        AuthCheckInterval: AuthCheckInterval;
        OAuthClientId: OAuthClientId;
        OAuthClientSecret: OAuthClientSecret;
        OAuthScope: OAuthScope;
        OAuthScopeList: OAuthScopeList;
        EmailAddress: EmailAddress;
        EmailAddressList: EmailAddressList;
        EmailDomain: EmailDomain;
        EmailDomainList: EmailDomainList;
        GitHubTeam: GitHubTeam;
        GitHubTeamList: GitHubTeamList;
        GitHubOrganization: GitHubOrganization;
        GitHubOrganizationList: GitHubOrganizationList;
        IdpMetadata: IdpMetadata;
        ForceAuthn: ForceAuthn;
        AllowIdpInitiated: AllowIdpInitiated;
        GroupName: GroupName;
        AuthorizedGroups: AuthorizedGroups;
        NameIdFormat: NameIdFormat;
        Issuer: Issuer;
        ClientId: ClientId;
        ClientSecret: ClientSecret;
        OIDCScopeList: OIDCScopeList;
        HTTPSEdge: HTTPSEdge;
        HTTPSEdgeList: HTTPSEdgeList;
        NextPageUri: NextPageUri;
        EndpointMutualTLS: EndpointMutualTLS;
        EndpointTLSTermination: EndpointTLSTermination;
        Ref: Ref;
        RefList: RefList;
        HTTPSEdgeCreate: HTTPSEdgeCreate;
        HTTPSEdgeUpdate: HTTPSEdgeUpdate;
        EndpointMutualTLSMutate: EndpointMutualTLSMutate;
        EndpointTLSTerminationAtEdge: EndpointTLSTerminationAtEdge;
        HTTPSEdgeRoute: HTTPSEdgeRoute;
        EndpointBackend: EndpointBackend;
        EndpointIPPolicy: EndpointIPPolicy;
        EndpointCircuitBreaker: EndpointCircuitBreaker;
        EndpointCompression: EndpointCompression;
        EndpointRequestHeaders: EndpointRequestHeaders;
        EndpointResponseHeaders: EndpointResponseHeaders;
        EndpointWebhookValidation: EndpointWebhookValidation;
        EndpointWebsocketTCPConverter: EndpointWebsocketTCPConverter;
        EndpointUserAgentFilter: EndpointUserAgentFilter;
        EndpointTrafficPolicy: EndpointTrafficPolicy;
        EndpointOAuth: EndpointOAuth;
        EndpointOAuthProvider: EndpointOAuthProvider;
        EndpointOAuthGitHub: EndpointOAuthGitHub;
        EndpointOAuthBasic: EndpointOAuthBasic;
        EndpointSAML: EndpointSAML;
        EndpointOIDC: EndpointOIDC;
        HTTPSEdgeRouteCreate: HTTPSEdgeRouteCreate;
        HTTPSEdgeRouteUpdate: HTTPSEdgeRouteUpdate;
        EndpointBackendMutate: EndpointBackendMutate;
        EndpointIPPolicyMutate: EndpointIPPolicyMutate;
        EndpointCircuitBreakerMutate: EndpointCircuitBreakerMutate;
        EndpointCompressionMutate: EndpointCompressionMutate;
        EndpointRequestHeadersMutate: EndpointRequestHeadersMutate;
        EndpointResponseHeadersMutate: EndpointResponseHeadersMutate;
        EndpointWebhookValidationMutate: EndpointWebhookValidationMutate;
        EndpointOAuthMutate: EndpointOAuthMutate;
        EndpointOAuthProviderMutate: EndpointOAuthProviderMutate;
        EndpointOAuthGitHubMutate: EndpointOAuthGitHubMutate;
        EndpointOAuthBasicMutate: EndpointOAuthBasicMutate;
        EndpointSAMLMutate: EndpointSAMLMutate;
        EndpointOIDCMutate: EndpointOIDCMutate;
        EndpointWebsocketTCPConverterMutate: EndpointWebsocketTCPConverterMutate;
        EndpointUserAgentFilterMutate: EndpointUserAgentFilterMutate;
        EndpointTrafficPolicyMutate: EndpointTrafficPolicyMutate;
        EventSourceCreate: EventSourceCreate;
        EventSourceUpdate: EventSourceUpdate;
        EventSource: EventSource;
        EventSourceList: EventSourceList;
        Problem: Problem;
        ProblemCode: ProblemCode;
        FieldError: FieldError;
        FieldErrorCode: FieldErrorCode;
    };
    responses: {
        /** The request cannot be read (`malformed_request`), or it breaks this contract (`invalid_request`). */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The bearer token is missing or invalid. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The token is valid, but is read-only. A service need not have such tokens. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * There is no such resource. A service may also respond so, instead of with 400, to a path
         * parameter that breaks its schema: such a resource cannot exist.
         */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The `Accept` header excludes `application/json`. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The resource that the request adds exists already. */
        AlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The change contradicts other settings of the edge or its routes (D09), or makes the edge too large. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * The edge has another route with this `match_type` and `match` (`already_exists`). Or the
         * route contradicts its edge (D09), has a second enabled sign-in module (D21), is one route
         * too many, or makes the edge too large: `conflict`.
         */
        RouteConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The body is larger than 1,048,576 bytes. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The body is not declared as `application/json` in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The client sends too many requests. Rate limiting is optional. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** The service failed. Give its `request_id` when you report it. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * The service cannot respond now, for example because its storage is not available. A change
         * may have been made.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfterHint"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
    };
    parameters: {
        /**
         * The identifier of the edge.
         * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        EdgeId: ResourceId;
        /**
         * The identifier of the route. It is unique at least within its edge (D01).
         * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
         */
        RouteId: ResourceId;
        /**
         * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
         * @example sub_orders
         */
        SubscriptionId: ResourceId;
        /**
         * The event type of the source. In an update, it is the current type (D12).
         * @example ip_policy_created.v0
         */
        SourceType: EventType;
        /**
         * The largest number of items on a page, in decimal digits without a sign or a leading zero.
         * The next page keeps it. A page may have fewer items.
         * @example 10
         */
        Limit: number;
        /**
         * Where the page begins. It is opaque and stands in the URI of the next page; do not build
         * one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
         * or with any page. Given twice, such a cursor has the error `repeated`, `format` or both. A
         * service whose URIs of pages have another cursor may refuse this one as `unknown`.
         * @example the-cursor-of-the-next-page
         */
        Cursor: string;
        /**
         * The page has the edges that come after the one with this id, which are older. It is for
         * existing clients that do not follow `next_page_uri`. A service may refuse an id that no edge
         * has with 400 `invalid_request` (the error `format`); if it accepts the id of an edge that
         * was deleted, the page begins where that edge was. Together with the cursor of a page, it is
         * refused with `not_allowed_here`.
         * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        BeforeId: ResourceId;
    };
    requestBodies: never;
    headers: {
        /**
         * The `uri` of the new edge.
         * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
         */
        EdgeLocation: Uri;
        /**
         * The `uri` of the new route.
         * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd/routes/edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
         */
        RouteLocation: Uri;
        /**
         * The `uri` of the new event source.
         * @example http://127.0.0.1:4010/event_subscriptions/sub_orders/sources/ip_policy_created.v0
         */
        EventSourceLocation: Uri;
        /**
         * One or more challenges (RFC 9110, 11.6.1), one of them of the scheme Bearer (RFC 6750).
         * @example Bearer realm="edge-api"
         */
        BearerChallenge: string;
        /**
         * One or more challenges, one of them of the scheme Bearer with `error="insufficient_scope"`
         * (RFC 6750).
         * @example Bearer realm="edge-api", error="insufficient_scope"
         */
        ScopeChallenge: string;
        /**
         * How many seconds to wait, or an HTTP date (RFC 9110).
         * @example 1
         */
        RetryAfter: string;
        /**
         * How many seconds to wait, or an HTTP date (RFC 9110). A gateway in between may omit it.
         * @example 1
         */
        RetryAfterHint: string;
    };
    pathItems: never;
}
/**
 * An opaque identifier. Do not parse it.
 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
 */
export type ResourceId = string;
/**
 * Format: uri
 * An absolute URI.
 * @example http://127.0.0.1:4010/edges/https/edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
 */
export type Uri = string;
/**
 * Format: date-time
 * The RFC 3339 time of creation, by the clock of the service.
 * @example 2026-01-15T09:30:00.000Z
 */
export type CreatedAt = string;
/**
 * Format: max-255-utf8-bytes
 * The purpose of the resource in words for people. At most 255 bytes of UTF-8.
 * @example Public storefront
 */
export type Description = string;
/**
 * Format: max-255-utf8-bytes
 * The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`.
 * @example Public storefront
 */
export type DescriptionOrNull = string | null;
/**
 * Format: max-255-utf8-bytes
 * The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted.
 * @default
 * @example Public storefront
 */
export type DescriptionOrEmpty = string | null;
/**
 * Format: max-4096-utf8-bytes
 * Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8.
 * @example team=web
 */
export type Metadata = string;
/**
 * Format: max-4096-utf8-bytes
 * Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`.
 * @example team=web
 */
export type MetadataOrNull = string | null;
/**
 * Format: max-4096-utf8-bytes
 * Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
 * null or omitted.
 * @default
 * @example team=web
 */
export type MetadataOrEmpty = string | null;
/**
 * True if the module is applied to traffic, false to disable it. True if omitted.
 * @default true
 * @example true
 */
export type Enabled = boolean;
/**
 * A host and a port. The host is a name, which may begin with `*.` and may hold `_`, or an
 * IPv6 address in brackets. Names in other scripts are written in Punycode.
 * @example shop.example.com:443
 * @example *.example.com:8443
 * @example [2001:db8::1]:443
 */
export type Hostport = string;
/**
 * The hostports that the edge serves, in the order sent, without repeats.
 * @example [
 *   "shop.example.com:443"
 * ]
 */
export type HostportList = Hostport[];
/**
 * The hostports that the edge serves, in the order sent, without repeats. Null means `[]`.
 * @example [
 *   "shop.example.com:443"
 * ]
 */
export type HostportListOrNull = Hostport[] | null;
/**
 * The hostports that the edge serves, in the order sent, without repeats. `[]` if null or omitted.
 * @default []
 * @example [
 *   "shop.example.com:443"
 * ]
 */
export type HostportListOrEmpty = Hostport[] | null;
/**
 * The event type for which the event subscription triggers: a name with a version, such as
 * `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
 * this contract.
 * @example ip_policy_created.v0
 * @example http_request_complete.v0
 */
export type EventType = string;
/**
 * A TLS version.
 * @enum {string}
 */
export type TLSVersion = "1.2" | "1.3";
/**
 * `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
 * application server for termination. With `upstream`, most other modules are disallowed
 * because they need access to the underlying traffic (D09).
 * @default edge
 * @enum {string}
 */
export type TerminateAt = "edge" | "upstream";
/**
 * How `match` selects traffic. How paths are compared, and which of several matching routes
 * takes a request, is outside this contract.
 * @enum {string}
 */
export type MatchType = "exact_path" | "path_prefix";
/**
 * The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
 * `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
 * or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
 * compared as text: two spellings of one path are two selectors.
 * @example /api
 * @example shop.example.com
 * @example shop.example.com/api
 */
export type Match = string;
/**
 * Format: password
 * The secret that validates requests from the provider. Required for all providers except
 * `sns`, where it may be null or omitted (D19).
 * @example correct-horse-battery-staple
 */
export type Secret = string | null;
/**
 * The name of an HTTP header field (RFC 9110). Its case does not matter and is kept.
 * @example X-Forwarded-Team
 */
export type HeaderName = string;
/**
 * The value of an HTTP header field.
 * @example web
 */
export type HeaderValue = string;
/**
 * Header names with their values. Two names that differ in case alone are refused.
 * @default {}
 * @example {
 *   "X-Forwarded-Team": "web"
 * }
 */
export interface HeaderMap {
    [key: string]: HeaderValue;
}
/**
 * Header names. Two names that are equal or differ in case alone are refused.
 * @default []
 */
export type HeaderNameList = HeaderName[];
/**
 * The provider that sends webhooks to this endpoint. It must be one of the supported
 * providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
 * that it does not support with the error `value`.
 * @example github
 * @example sns
 */
export type WebhookProvider = string;
/**
 * The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract.
 * @example on_http_request: []
 */
export type TrafficPolicyValue = string;
/**
 * Format: re2
 * A regular expression in RE2 syntax. Text that is not one, such as `(` or one with
 * look-around, is refused.
 * @example (?i)bot/[0-9]+
 */
export type UserAgentExpression = string;
/**
 * Regular expressions in RE2 syntax.
 * @default []
 */
export type UserAgentExpressionList = UserAgentExpression[];
/**
 * Identifiers of the certificate authorities that validate the client certificate presented by
 * the TLS initiator.
 * @default []
 */
export type CertificateAuthorityIdList = ResourceId[];
/**
 * Identifiers of the IP policies that check whether a source IP may access the endpoint.
 * @default []
 */
export type IPPolicyIdList = ResourceId[];
/**
 * Format: int64
 * Seconds to wait after the circuit trips before upstream health is evaluated again.
 * @default 10
 */
export type TrippedDuration = number;
/**
 * Format: int64
 * Seconds of the statistical rolling window for which metrics are retained.
 * @default 10
 */
export type RollingWindow = number;
/**
 * Format: int32
 * The number of buckets that metrics are retained in. At most 128.
 * @default 10
 */
export type NumBuckets = number;
/**
 * Format: int64
 * The number of requests in a rolling window that trips the circuit. Useful for low traffic volume.
 * @default 20
 */
export type VolumeThreshold = number;
/**
 * Format: double
 * The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
 * that 0.2 is 20 %. Both ends are allowed.
 * @default 0.5
 */
export type ErrorThresholdPercentage = number;
/**
 * When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS).
 * @default false
 */
export type OptionsPassthrough = boolean;
/**
 * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
 * omitted: a prefix of the service that ends in a period.
 * @example edge.
 */
export type CookiePrefix = string;
/**
 * Format: int64
 * Seconds of inactivity after which the session times out and the user must re-authenticate.
 * 0: there is no such limit.
 * @default 0
 */
export type InactivityTimeout = number;
/**
 * Format: int64
 * The maximum number of seconds of an authenticated session; after it the user must
 * re-authenticate. 0: there is no such limit.
 * @default 0
 */
export type MaximumDuration = number;
/**
 * Format: int64
 * Seconds after which the service refreshes user state from the identity provider and rechecks
 * authorization. It is the preferred setting for bounding how long a revoked user keeps
 * access. 0: there is no such check.
 * @default 0
 */
export type AuthCheckInterval = number;
/**
 * The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
 * manages is used, with extra restrictions. If present, `client_secret` must be present too.
 * @example Iv1.8a61f9b3a7aba766
 */
export type OAuthClientId = string | null;
/**
 * Format: password
 * The client secret of your own OAuth app. Null or omitted without `client_id`.
 * @example correct-horse-battery-staple
 */
export type OAuthClientSecret = string | null;
/**
 * One OAuth scope.
 * @example read:user
 */
export type OAuthScope = string;
/**
 * Provider-specific OAuth scopes. They may be set only when both `client_id` and
 * `client_secret` are given, not with the OAuth app that the service manages.
 * @default []
 */
export type OAuthScopeList = OAuthScope[];
/**
 * An email address.
 * @example ada@example.com
 */
export type EmailAddress = string;
/**
 * Email addresses of authenticated users who are allowed access.
 * @default []
 */
export type EmailAddressList = EmailAddress[];
/**
 * The part of an email address after the `@`.
 * @example example.com
 */
export type EmailDomain = string;
/**
 * Email domains of authenticated users who are allowed access.
 * @default []
 */
export type EmailDomainList = EmailDomain[];
/**
 * A team identifier.
 * @example acme/web
 */
export type GitHubTeam = string;
/**
 * Team identifiers. A member of any of these teams is allowed access.
 * @default []
 */
export type GitHubTeamList = GitHubTeam[];
/**
 * An organization slug.
 * @example acme
 */
export type GitHubOrganization = string;
/**
 * Organization slugs. Members of any of these organizations are allowed access.
 * @default []
 */
export type GitHubOrganizationList = GitHubOrganization[];
/**
 * The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
 * with that root element. A service may refuse a document type declaration; it never reads one
 * and expands no entity (D26).
 * @example <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>
 */
export type IdpMetadata = string;
/**
 * When true, the IdP must prompt for credentials on every redirect, even if the user has an
 * IdP session.
 * @default false
 */
export type ForceAuthn = boolean;
/**
 * When true, the IdP may start a login directly. It sets `RelayState` to the target URL.
 * @default false
 */
export type AllowIdpInitiated = boolean;
/** The name of a group. */
export type GroupName = string;
/**
 * When present and not empty, only members of one of these groups may access the endpoint. If
 * omitted or `[]`, access is not restricted by group.
 * @default []
 */
export type AuthorizedGroups = GroupName[];
/**
 * The name identifier format that is expected in assertions: a subset of the values of the
 * SAML specification (D26).
 * @enum {string}
 */
export type NameIdFormat = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified" | "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" | "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName" | "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName" | "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos" | "urn:oasis:names:tc:SAML:2.0:nameid-format:entity" | "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" | "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
/**
 * Format: uri
 * The URL of the OpenID provider, the base URL for discovery.
 * @example https://login.example.com
 */
export type Issuer = string;
/**
 * The client ID and audience of the OIDC app.
 * @example edge
 */
export type ClientId = string;
/**
 * Format: password
 * The client secret of the OIDC app. It may be null or omitted.
 * @example correct-horse-battery-staple
 */
export type ClientSecret = string | null;
/**
 * The scopes that are requested from the provider.
 * @default []
 */
export type OIDCScopeList = string[];
/** An HTTPS edge. Every property is always present. */
export interface HTTPSEdge {
    /** The unique identifier of the edge. */
    id: ResourceId;
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. */
    description: Description;
    /** Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. */
    metadata: Metadata;
    /** The RFC 3339 time of creation, by the clock of the service. */
    created_at: CreatedAt;
    /** The URI of the edge resource. */
    uri: Uri;
    /** The hostports that the edge serves, in the order sent, without repeats. */
    hostports: HostportList;
    /** If null, client certificates are not verified. */
    mutual_tls: EndpointMutualTLS | null;
    /** If null, the edge has no settings for TLS termination. */
    tls_termination: EndpointTLSTermination | null;
    /** The routes of the edge, in creation order. */
    routes: HTTPSEdgeRoute[];
}
/** One page of edges. */
export interface HTTPSEdgeList {
    /** The edges on this page, newest first. */
    https_edges: HTTPSEdge[];
    /** The URI of this page. */
    uri: Uri;
    /**
     * Format: uri
     * The absolute URI of the next page, or null if there is no next page.
     */
    next_page_uri: string | null;
}
/**
 * Format: uri
 * The absolute URI of the next page, or null if there is no next page.
 */
export type NextPageUri = string | null;
/** Verifies client certificates. */
export interface EndpointMutualTLS {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /**
     * The certificate authorities used to validate the TLS client certificate, in the order
     * sent. They are PEM-encoded CA certificates; several may be concatenated.
     */
    certificate_authorities: RefList;
}
/** TLS termination. `min_version` is null if `terminate_at` is `upstream`, else a version. */
export interface EndpointTLSTermination {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /**
     * `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
     * application server for termination. With `upstream`, most other modules are disallowed
     * because they need access to the underlying traffic (D09).
     */
    terminate_at: TerminateAt;
    /**
     * The minimum TLS version that is used for termination and advertised to the client in the
     * handshake. When it was not specified, it is the safe default that the service picked.
     */
    min_version: TLSVersion | null;
}
/** A reference to a resource that this API does not manage. */
export interface Ref {
    /** The identifier of the resource. */
    id: ResourceId;
    /** A URI for locating the resource. This API does not serve it. */
    uri: Uri;
}
/** References, in the order in which their ids were sent. */
export type RefList = Ref[];
/**
 * A new edge. No field is required. An edge that passes TLS through (`terminate_at: upstream`)
 * takes no `mutual_tls` (D09).
 */
export interface HTTPSEdgeCreate {
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted. */
    description?: DescriptionOrEmpty;
    /**
     * Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
     * null or omitted.
     */
    metadata?: MetadataOrEmpty;
    /** The hostports that the edge serves, in the order sent, without repeats. `[]` if null or omitted. */
    hostports?: HostportListOrEmpty;
    /** If null or omitted, client certificates are not verified. */
    mutual_tls?: EndpointMutualTLSMutate | null;
    /** If null or omitted, the edge has no settings for TLS termination. */
    tls_termination?: EndpointTLSTerminationAtEdge | null;
}
/**
 * Changes to an edge. An omitted property stays as it is. Null resets a text or a list to its
 * default and removes a module. Any other value replaces the old one whole.
 */
export interface HTTPSEdgeUpdate {
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`. */
    description?: DescriptionOrNull;
    /** Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`. */
    metadata?: MetadataOrNull;
    /** The hostports that the edge serves, in the order sent, without repeats. Null means `[]`. */
    hostports?: HostportListOrNull;
    /** If null, client certificates are no longer verified. */
    mutual_tls?: EndpointMutualTLSMutate | null;
    /** If null, the settings for TLS termination are removed. */
    tls_termination?: EndpointTLSTerminationAtEdge | null;
}
/** Verifies client certificates. */
export interface EndpointMutualTLSMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /**
     * Identifiers of the certificate authorities that validate the client certificate presented by
     * the TLS initiator.
     */
    certificate_authority_ids?: CertificateAuthorityIdList;
}
/** TLS termination. With `terminate_at: upstream`, `min_version` must be null or omitted. */
export interface EndpointTLSTerminationAtEdge {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /**
     * `edge`: the service terminates TLS. `upstream`: TLS passes through to the upstream agent or
     * application server for termination. With `upstream`, most other modules are disallowed
     * because they need access to the underlying traffic (D09).
     */
    terminate_at?: TerminateAt;
    /**
     * The minimum TLS version used for termination and advertised to the client in the
     * handshake. If null or omitted, the service picks a safe default, which the response
     * shows.
     * @default null
     */
    min_version?: TLSVersion | null;
}
/** One route of an edge. Every property is always present; a module that is not set is null. */
export interface HTTPSEdgeRoute {
    /** The identifier of the edge that owns the route. */
    edge_id: ResourceId;
    /** The identifier of the route. */
    id: ResourceId;
    /** The RFC 3339 time of creation, by the clock of the service. */
    created_at: CreatedAt;
    /**
     * How `match` selects traffic. How paths are compared, and which of several matching routes
     * takes a request, is outside this contract.
     */
    match_type: MatchType;
    /**
     * The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
     * `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
     * or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
     * compared as text: two spellings of one path are two selectors.
     */
    match: Match;
    /** The URI of the route resource. */
    uri: Uri;
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. */
    description: Description;
    /** Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. */
    metadata: Metadata;
    /** If null, the route has no backend. */
    backend: EndpointBackend | null;
    /** If null, access is not restricted by source IP. */
    ip_restriction: EndpointIPPolicy | null;
    /** If null, there is no circuit breaker. */
    circuit_breaker: EndpointCircuitBreaker | null;
    /** If null, responses are not compressed. */
    compression: EndpointCompression | null;
    /** If null, headers of requests are not changed. */
    request_headers: EndpointRequestHeaders | null;
    /** If null, headers of responses are not changed. */
    response_headers: EndpointResponseHeaders | null;
    /** If null, signatures of webhooks are not verified. */
    webhook_verification: EndpointWebhookValidation | null;
    /** If null, no sign-in by OAuth is required. */
    oauth: EndpointOAuth | null;
    /** If null, no sign-in by SAML is required. */
    saml: EndpointSAML | null;
    /** If null, no sign-in by OpenID Connect is required. */
    oidc: EndpointOIDC | null;
    /** If null, WebSocket connections are not converted. */
    websocket_tcp_converter: EndpointWebsocketTCPConverter | null;
    /** If null, access is not restricted by user agent. */
    user_agent_filter: EndpointUserAgentFilter | null;
    /** If null, no traffic policy is applied. */
    traffic_policy: EndpointTrafficPolicy | null;
}
/** The backend that serves the endpoint. */
export interface EndpointBackend {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** A reference to a resource that this API does not manage. */
    backend: Ref;
}
/** The IP policies that check whether a source IP may access the endpoint. */
export interface EndpointIPPolicy {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** References, in the order in which their ids were sent. */
    ip_policies: RefList;
}
/** Stops sending traffic to an upstream that fails. */
export interface EndpointCircuitBreaker {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** Seconds to wait after the circuit trips before upstream health is evaluated again. */
    tripped_duration: TrippedDuration;
    /** Seconds of the statistical rolling window for which metrics are retained. */
    rolling_window: RollingWindow;
    /** The number of buckets that metrics are retained in. At most 128. */
    num_buckets: NumBuckets;
    /** The number of requests in a rolling window that trips the circuit. Useful for low traffic volume. */
    volume_threshold: VolumeThreshold;
    /**
     * The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
     * that 0.2 is 20 %. Both ends are allowed.
     */
    error_threshold_percentage: ErrorThresholdPercentage;
}
/** Compresses responses. */
export interface EndpointCompression {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
}
/** Changes the headers of requests before they go upstream. */
export interface EndpointRequestHeaders {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** Header names and values that are injected into the request before it goes upstream. */
    add: HeaderMap;
    /** Header names that are removed from the request before it goes upstream, before `add` is applied. */
    remove: HeaderNameList;
}
/** Changes the headers of responses before they go to the client. */
export interface EndpointResponseHeaders {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** Header names and values that are injected into the response returned to the client. */
    add: HeaderMap;
    /** Header names that are removed from that response, before `add` is applied. */
    remove: HeaderNameList;
}
/** Accepts only requests that the webhook provider signed. */
export interface EndpointWebhookValidation {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /**
     * The provider that sends webhooks to this endpoint. It must be one of the supported
     * providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
     * that it does not support with the error `value`.
     */
    provider: WebhookProvider;
    /**
     * The secret that validates requests from the provider. Required for all providers except
     * `sns`, where it may be null or omitted (D19).
     */
    secret: Secret;
}
/** The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
export interface EndpointWebsocketTCPConverter {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
}
/** Allows or denies clients by user agent. How the service matches is outside this contract. */
export interface EndpointUserAgentFilter {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** Regular expressions in RE2 syntax. */
    allow: UserAgentExpressionList;
    /** Regular expressions in RE2 syntax. */
    deny: UserAgentExpressionList;
}
/** The traffic policy associated with the route. */
export interface EndpointTrafficPolicy {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract. */
    value: TrafficPolicyValue;
}
/** Requires sign-in with an OAuth identity provider. */
export interface EndpointOAuth {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration: MaximumDuration;
    /**
     * Seconds after which the service refreshes user state from the identity provider and rechecks
     * authorization. It is the preferred setting for bounding how long a revoked user keeps
     * access. 0: there is no such check.
     */
    auth_check_interval: AuthCheckInterval;
    /**
     * The identity provider and who may access the endpoint. Exactly one provider is not null.
     * Which of several lists lets a user in, and what empty lists mean, is decided by the service
     * that handles the traffic.
     */
    provider: EndpointOAuthProvider;
}
/**
 * The identity provider and who may access the endpoint. Exactly one provider is not null.
 * Which of several lists lets a user in, and what empty lists mean, is decided by the service
 * that handles the traffic.
 */
export interface EndpointOAuthProvider {
    /**
     * Sign-in with GitHub. `client_id` and `client_secret` are both set or both null. Without
     * them, `scopes` is empty.
     */
    github: EndpointOAuthGitHub | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    facebook: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    microsoft: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    google: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    linkedin: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    gitlab: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    twitch: EndpointOAuthBasic | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
     * null. Without them, `scopes` is empty.
     */
    amazon: EndpointOAuthBasic | null;
}
/**
 * Sign-in with GitHub. `client_id` and `client_secret` are both set or both null. Without
 * them, `scopes` is empty.
 */
export interface EndpointOAuthGitHub {
    /**
     * The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
     * manages is used, with extra restrictions. If present, `client_secret` must be present too.
     */
    client_id: OAuthClientId;
    /** The client secret of your own OAuth app. Null or omitted without `client_id`. */
    client_secret: OAuthClientSecret;
    /**
     * Provider-specific OAuth scopes. They may be set only when both `client_id` and
     * `client_secret` are given, not with the OAuth app that the service manages.
     */
    scopes: OAuthScopeList;
    /** Email addresses of authenticated users who are allowed access. */
    email_addresses: EmailAddressList;
    /** Email domains of authenticated users who are allowed access. */
    email_domains: EmailDomainList;
    /** Team identifiers. A member of any of these teams is allowed access. */
    teams: GitHubTeamList;
    /** Organization slugs. Members of any of these organizations are allowed access. */
    organizations: GitHubOrganizationList;
}
/**
 * Sign-in with any provider but GitHub. `client_id` and `client_secret` are both set or both
 * null. Without them, `scopes` is empty.
 */
export interface EndpointOAuthBasic {
    /**
     * The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
     * manages is used, with extra restrictions. If present, `client_secret` must be present too.
     */
    client_id: OAuthClientId;
    /** The client secret of your own OAuth app. Null or omitted without `client_id`. */
    client_secret: OAuthClientSecret;
    /**
     * Provider-specific OAuth scopes. They may be set only when both `client_id` and
     * `client_secret` are given, not with the OAuth app that the service manages.
     */
    scopes: OAuthScopeList;
    /** Email addresses of authenticated users who are allowed access. */
    email_addresses: EmailAddressList;
    /** Email domains of authenticated users who are allowed access. */
    email_domains: EmailDomainList;
}
/**
 * Requires sign-in with a SAML identity provider. The service supplies `entity_id`,
 * `metadata_url`, the other two URLs and the certificate (D26).
 */
export interface EndpointSAML {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration: MaximumDuration;
    /**
     * The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
     * with that root element. A service may refuse a document type declaration; it never reads one
     * and expands no entity (D26).
     */
    idp_metadata: IdpMetadata;
    /**
     * When true, the IdP must prompt for credentials on every redirect, even if the user has an
     * IdP session.
     */
    force_authn: ForceAuthn;
    /** When true, the IdP may start a login directly. It sets `RelayState` to the target URL. */
    allow_idp_initiated: AllowIdpInitiated;
    /**
     * When present and not empty, only members of one of these groups may access the endpoint. If
     * omitted or `[]`, access is not restricted by group.
     */
    authorized_groups: AuthorizedGroups;
    /**
     * The unique ID of the service provider (SP): always a URL, equal to `metadata_url`. It is
     * given to the IdP as configuration.
     */
    entity_id: Uri;
    /** The public URL of the Assertion Consumer Service of the SP. It is given to the IdP. */
    assertion_consumer_service_url: Uri;
    /** The public URL of the Single Logout Service of the SP. It is optionally given to the IdP. */
    single_logout_url: Uri;
    /** The PEM-encoded X.509 certificate of the key pair that signs SAML requests to the IdP. */
    request_signing_certificate_pem: string;
    /**
     * The public URL where the SP metadata is hosted. `GET` of it needs no token and responds
     * with an EntityDescriptor as `application/samlmetadata+xml` (D26).
     */
    metadata_url: Uri;
    /**
     * The name identifier format that is expected in assertions: a subset of the values of the
     * SAML specification (D26).
     */
    nameid_format: NameIdFormat;
}
/** Requires sign-in with an OpenID Connect provider. */
export interface EndpointOIDC {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration: MaximumDuration;
    /** The URL of the OpenID provider, the base URL for discovery. */
    issuer: Issuer;
    /** The client ID and audience of the OIDC app. */
    client_id: ClientId;
    /** The client secret of the OIDC app. It may be null or omitted. */
    client_secret: ClientSecret;
    /** The scopes that are requested from the provider. */
    scopes: OIDCScopeList;
}
/**
 * A new route. `match_type` and `match` are required; every module can be set at once. A
 * module that is null or omitted is not set: without `ip_restriction` and `user_agent_filter`,
 * access is not restricted by them; without `oauth`, `saml` and `oidc`, no sign-in is
 * required. At most one of these three is enabled (D21).
 */
export interface HTTPSEdgeRouteCreate {
    /**
     * How `match` selects traffic. How paths are compared, and which of several matching routes
     * takes a request, is outside this contract.
     */
    match_type: MatchType;
    /**
     * The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
     * `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
     * or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
     * compared as text: two spellings of one path are two selectors.
     */
    match: Match;
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. `""` if null or omitted. */
    description?: DescriptionOrEmpty;
    /**
     * Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. `""` if
     * null or omitted.
     */
    metadata?: MetadataOrEmpty;
    /** The backend that serves the endpoint. */
    backend?: EndpointBackendMutate | null;
    /** The IP policies that check whether a source IP may access the endpoint. */
    ip_restriction?: EndpointIPPolicyMutate | null;
    /** Stops sending traffic to an upstream that fails. */
    circuit_breaker?: EndpointCircuitBreakerMutate | null;
    /** Compresses responses. */
    compression?: EndpointCompressionMutate | null;
    /** Changes the headers of requests before they go upstream. */
    request_headers?: EndpointRequestHeadersMutate | null;
    /** Changes the headers of responses before they go to the client. */
    response_headers?: EndpointResponseHeadersMutate | null;
    /** Accepts only requests that the webhook provider signed. */
    webhook_verification?: EndpointWebhookValidationMutate | null;
    /** Requires sign-in with an OAuth identity provider. */
    oauth?: EndpointOAuthMutate | null;
    /** Requires sign-in with a SAML identity provider. */
    saml?: EndpointSAMLMutate | null;
    /** Requires sign-in with an OpenID Connect provider. */
    oidc?: EndpointOIDCMutate | null;
    /** The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
    websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
    /** Allows or denies clients by user agent. How the service matches is outside this contract. */
    user_agent_filter?: EndpointUserAgentFilterMutate | null;
    /** The traffic policy associated with the route. */
    traffic_policy?: EndpointTrafficPolicyMutate | null;
}
/**
 * Changes to a route. An omitted property stays as it is. Null resets a text to `""` and
 * removes a module. Any other value replaces the old one whole. At most one of `oauth`, `saml`
 * and `oidc` is enabled (D21).
 */
export interface HTTPSEdgeRouteUpdate {
    /**
     * How `match` selects traffic. How paths are compared, and which of several matching routes
     * takes a request, is outside this contract.
     */
    match_type?: MatchType;
    /**
     * The route selector: a path (`/api`), a host (`shop.example.com`, `*.example.com`,
     * `[2001:db8::1]`), or a host followed by a path (`shop.example.com/api`). A path has no ASCII
     * or Unicode white space, no ASCII control characters, no `?` and no `#`. Selectors are
     * compared as text: two spellings of one path are two selectors.
     */
    match?: Match;
    /** The purpose of the resource in words for people. At most 255 bytes of UTF-8. Null means `""`. */
    description?: DescriptionOrNull;
    /** Arbitrary machine-readable data that the user defines. At most 4,096 bytes of UTF-8. Null means `""`. */
    metadata?: MetadataOrNull;
    /** The backend that serves the endpoint. */
    backend?: EndpointBackendMutate | null;
    /** The IP policies that check whether a source IP may access the endpoint. */
    ip_restriction?: EndpointIPPolicyMutate | null;
    /** Stops sending traffic to an upstream that fails. */
    circuit_breaker?: EndpointCircuitBreakerMutate | null;
    /** Compresses responses. */
    compression?: EndpointCompressionMutate | null;
    /** Changes the headers of requests before they go upstream. */
    request_headers?: EndpointRequestHeadersMutate | null;
    /** Changes the headers of responses before they go to the client. */
    response_headers?: EndpointResponseHeadersMutate | null;
    /** Accepts only requests that the webhook provider signed. */
    webhook_verification?: EndpointWebhookValidationMutate | null;
    /** Requires sign-in with an OAuth identity provider. */
    oauth?: EndpointOAuthMutate | null;
    /** Requires sign-in with a SAML identity provider. */
    saml?: EndpointSAMLMutate | null;
    /** Requires sign-in with an OpenID Connect provider. */
    oidc?: EndpointOIDCMutate | null;
    /** The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
    websocket_tcp_converter?: EndpointWebsocketTCPConverterMutate | null;
    /** Allows or denies clients by user agent. How the service matches is outside this contract. */
    user_agent_filter?: EndpointUserAgentFilterMutate | null;
    /** The traffic policy associated with the route. */
    traffic_policy?: EndpointTrafficPolicyMutate | null;
}
/** The backend that serves the endpoint. */
export interface EndpointBackendMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** The identifier of the backend. */
    backend_id: ResourceId;
}
/** The IP policies that check whether a source IP may access the endpoint. */
export interface EndpointIPPolicyMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** Identifiers of the IP policies that check whether a source IP may access the endpoint. */
    ip_policy_ids?: IPPolicyIdList;
}
/** Stops sending traffic to an upstream that fails. */
export interface EndpointCircuitBreakerMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** Seconds to wait after the circuit trips before upstream health is evaluated again. */
    tripped_duration?: TrippedDuration;
    /** Seconds of the statistical rolling window for which metrics are retained. */
    rolling_window?: RollingWindow;
    /** The number of buckets that metrics are retained in. At most 128. */
    num_buckets?: NumBuckets;
    /** The number of requests in a rolling window that trips the circuit. Useful for low traffic volume. */
    volume_threshold?: VolumeThreshold;
    /**
     * The share of failed requests that trips the circuit, between 0 and 1.0 (not 0-100.0), so
     * that 0.2 is 20 %. Both ends are allowed.
     */
    error_threshold_percentage?: ErrorThresholdPercentage;
}
/** Compresses responses. */
export interface EndpointCompressionMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
}
/** Changes the headers of requests before they go upstream. */
export interface EndpointRequestHeadersMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** Header names and values that are injected into the request before it goes upstream. */
    add?: HeaderMap;
    /** Header names that are removed from the request before it goes upstream, before `add` is applied. */
    remove?: HeaderNameList;
}
/** Changes the headers of responses before they go to the client. */
export interface EndpointResponseHeadersMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** Header names and values that are injected into the response returned to the client. */
    add?: HeaderMap;
    /** Header names that are removed from that response, before `add` is applied. */
    remove?: HeaderNameList;
}
/** Accepts only requests that the webhook provider signed. */
export interface EndpointWebhookValidationMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /**
     * The provider that sends webhooks to this endpoint. It must be one of the supported
     * providers; `sns` is AWS SNS. The list is the service's own (D19): it may refuse a provider
     * that it does not support with the error `value`.
     */
    provider: WebhookProvider;
    /**
     * The secret that validates requests from the provider. Required for all providers except
     * `sns`, where it may be null or omitted (D19).
     */
    secret?: Secret;
}
/** Requires sign-in with an OAuth identity provider. */
export interface EndpointOAuthMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough?: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix?: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout?: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration?: MaximumDuration;
    /**
     * Seconds after which the service refreshes user state from the identity provider and rechecks
     * authorization. It is the preferred setting for bounding how long a revoked user keeps
     * access. 0: there is no such check.
     */
    auth_check_interval?: AuthCheckInterval;
    /**
     * The identity provider and who may access the endpoint. Exactly one provider is not null.
     * Which of several lists lets a user in, and what empty lists mean, is decided by the service
     * that handles the traffic.
     */
    provider: EndpointOAuthProviderMutate;
}
/**
 * The identity provider and who may access the endpoint. Exactly one provider is not null.
 * Which of several lists lets a user in, and what empty lists mean, is decided by the service
 * that handles the traffic.
 */
export interface EndpointOAuthProviderMutate {
    /**
     * Sign-in with GitHub. `client_id` and `client_secret` are given together or not at all;
     * `scopes` needs both.
     */
    github?: EndpointOAuthGitHubMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    facebook?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    microsoft?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    google?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    linkedin?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    gitlab?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    twitch?: EndpointOAuthBasicMutate | null;
    /**
     * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
     * not at all; `scopes` needs both.
     */
    amazon?: EndpointOAuthBasicMutate | null;
}
/**
 * Sign-in with GitHub. `client_id` and `client_secret` are given together or not at all;
 * `scopes` needs both.
 */
export interface EndpointOAuthGitHubMutate {
    /**
     * The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
     * manages is used, with extra restrictions. If present, `client_secret` must be present too.
     */
    client_id?: OAuthClientId;
    /** The client secret of your own OAuth app. Null or omitted without `client_id`. */
    client_secret?: OAuthClientSecret;
    /**
     * Provider-specific OAuth scopes. They may be set only when both `client_id` and
     * `client_secret` are given, not with the OAuth app that the service manages.
     */
    scopes?: OAuthScopeList;
    /** Email addresses of authenticated users who are allowed access. */
    email_addresses?: EmailAddressList;
    /** Email domains of authenticated users who are allowed access. */
    email_domains?: EmailDomainList;
    /** Team identifiers. A member of any of these teams is allowed access. */
    teams?: GitHubTeamList;
    /** Organization slugs. Members of any of these organizations are allowed access. */
    organizations?: GitHubOrganizationList;
}
/**
 * Sign-in with any provider but GitHub. `client_id` and `client_secret` are given together or
 * not at all; `scopes` needs both.
 */
export interface EndpointOAuthBasicMutate {
    /**
     * The client ID of your own OAuth app. If null or omitted, an OAuth app that the service
     * manages is used, with extra restrictions. If present, `client_secret` must be present too.
     */
    client_id?: OAuthClientId;
    /** The client secret of your own OAuth app. Null or omitted without `client_id`. */
    client_secret?: OAuthClientSecret;
    /**
     * Provider-specific OAuth scopes. They may be set only when both `client_id` and
     * `client_secret` are given, not with the OAuth app that the service manages.
     */
    scopes?: OAuthScopeList;
    /** Email addresses of authenticated users who are allowed access. */
    email_addresses?: EmailAddressList;
    /** Email domains of authenticated users who are allowed access. */
    email_domains?: EmailDomainList;
}
/** Requires sign-in with a SAML identity provider. */
export interface EndpointSAMLMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough?: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix?: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout?: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration?: MaximumDuration;
    /**
     * The full XML EntityDescriptor of the identity provider (IdP). It must be well-formed XML
     * with that root element. A service may refuse a document type declaration; it never reads one
     * and expands no entity (D26).
     */
    idp_metadata: IdpMetadata;
    /**
     * When true, the IdP must prompt for credentials on every redirect, even if the user has an
     * IdP session.
     */
    force_authn?: ForceAuthn;
    /** When true, the IdP may start a login directly. It sets `RelayState` to the target URL. */
    allow_idp_initiated?: AllowIdpInitiated;
    /**
     * When present and not empty, only members of one of these groups may access the endpoint. If
     * omitted or `[]`, access is not restricted by group.
     */
    authorized_groups?: AuthorizedGroups;
    /**
     * The name identifier format that is expected in assertions: a subset of the values of the
     * SAML specification (D26).
     * @default urn:oasis:names:tc:SAML:2.0:nameid-format:persistent
     */
    nameid_format?: NameIdFormat;
}
/** Requires sign-in with an OpenID Connect provider. */
export interface EndpointOIDCMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** When true, authentication is not enforced on HTTP `OPTIONS` requests (needed for CORS). */
    options_passthrough?: OptionsPassthrough;
    /**
     * The prefix of the session cookie that is set on the HTTP client to cache authentication. If
     * omitted: a prefix of the service that ends in a period.
     */
    cookie_prefix?: CookiePrefix;
    /**
     * Seconds of inactivity after which the session times out and the user must re-authenticate.
     * 0: there is no such limit.
     */
    inactivity_timeout?: InactivityTimeout;
    /**
     * The maximum number of seconds of an authenticated session; after it the user must
     * re-authenticate. 0: there is no such limit.
     */
    maximum_duration?: MaximumDuration;
    /** The URL of the OpenID provider, the base URL for discovery. */
    issuer: Issuer;
    /** The client ID and audience of the OIDC app. */
    client_id: ClientId;
    /** The client secret of the OIDC app. It may be null or omitted. */
    client_secret?: ClientSecret;
    /** The scopes that are requested from the provider. */
    scopes?: OIDCScopeList;
}
/** The websocket-to-TCP adapter. It converts WebSocket connections to TCP. */
export interface EndpointWebsocketTCPConverterMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
}
/** Allows or denies clients by user agent. How the service matches is outside this contract. */
export interface EndpointUserAgentFilterMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** Regular expressions in RE2 syntax. */
    allow?: UserAgentExpressionList;
    /** Regular expressions in RE2 syntax. */
    deny?: UserAgentExpressionList;
}
/** The traffic policy associated with the route. */
export interface EndpointTrafficPolicyMutate {
    /** True if the module is applied to traffic, false to disable it. True if omitted. */
    enabled?: Enabled;
    /** The traffic policy that is applied to traffic on the endpoint. Its form is outside this contract. */
    value: TrafficPolicyValue;
}
/** The event type to add. */
export interface EventSourceCreate {
    /**
     * The event type for which the event subscription triggers: a name with a version, such as
     * `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
     * this contract.
     */
    type: EventType;
}
/** The new event type. If omitted, nothing changes (D12). */
export interface EventSourceUpdate {
    /**
     * The event type for which the event subscription triggers: a name with a version, such as
     * `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
     * this contract.
     */
    type?: EventType;
}
/** One event type for which the event subscription triggers. */
export interface EventSource {
    /**
     * The event type for which the event subscription triggers: a name with a version, such as
     * `ip_policy_created.v0` or `http_request_complete.v0`. The list of types is open and outside
     * this contract.
     */
    type: EventType;
    /** The URI of the event source resource. */
    uri: Uri;
}
/** One page of event sources. */
export interface EventSourceList {
    /** The sources on this page, in ascending order of `type` in ASCII. */
    sources: EventSource[];
    /** The absolute URI of the next page, or null if there is no next page. */
    uri: NextPageUri;
}
/**
 * Why a request was refused (RFC 9457). Program against `code` and `errors`; `title` and
 * `detail` are for people and may change.
 */
export interface Problem {
    /**
     * Format: uri-reference
     * A URI that names the kind of problem, or `about:blank` (RFC 9457).
     */
    type: string;
    /** The kind of problem in words. */
    title: string;
    /**
     * Format: int32
     * The HTTP status of this response.
     */
    status: number;
    /** What is wrong with this request, in words. */
    detail: string;
    /**
     * Format: uri-reference
     * A URI reference that identifies this occurrence, such as the path of the request. Omitted if it would be longer than 2,048 characters.
     */
    instance?: string;
    /**
     * The kind of problem. A minor version may add values: for a value that you do not know, rely
     * on the status.
     */
    code: ProblemCode;
    /**
     * Where the request breaks the contract; present if `code` is `invalid_request`. At least
     * one error; a service should list all that it finds, up to 100.
     */
    errors?: FieldError[];
    /** Identifies the request in the log of the service, if it keeps one. Give it when you report a problem. */
    request_id?: string;
    /** Equal to `code`, for clients of the older form of errors. Optional. */
    error_code?: string;
    /**
     * Format: int32
     * Equal to `status`, for clients of the older form of errors. Optional.
     */
    status_code?: number;
    /** Equal to `detail`, for clients of the older form of errors. Optional. */
    msg?: string;
    /** More about the problem, for clients of the older form of errors, such as `operation_id`. Optional. */
    details?: {
        [key: string]: string;
    };
}
/**
 * The kind of problem. A minor version may add values: for a value that you do not know, rely
 * on the status.
 * @enum {string}
 */
export type ProblemCode = "malformed_request" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "already_exists" | "conflict" | "content_too_large" | "unsupported_media_type" | "too_many_requests" | "internal_error" | "service_unavailable";
/**
 * One error in the request. `pointer` (a JSON Pointer, RFC 6901) is the place in the body;
 * `parameter` is the name of a parameter of the path or query. Exactly one of the two is
 * present.
 */
export interface FieldError {
    /** The place in the body; `""` is the body itself. See "Field errors". */
    pointer?: string;
    /** The name of the parameter. */
    parameter?: string;
    /**
     * The kind of error. "Field errors" has the schema keyword for each value. A minor version may
     * add values: treat a value that you do not know as an error at that place.
     *
     * - `required`: the value is missing.
     * - `unknown`: there is no such property or parameter.
     * - `repeated`: a parameter, or a name in an object, is given more than once.
     * - `type`: the value has another JSON type.
     * - `value`: the value is not one of the allowed values.
     * - `format`: the value does not have the required form.
     * - `too_short`, `too_long`: the number of characters.
     * - `too_many_bytes`: the number of bytes of UTF-8.
     * - `too_small`, `too_large`: the number.
     * - `too_few`, `too_many`: the number of items or properties.
     * - `duplicate`: an item or a header name is given twice.
     * - `unicode`: a text has a lone surrogate.
     * - `not_allowed_here`: the value contradicts another property or parameter.
     */
    code: FieldErrorCode;
    /** The rule that is broken, in words. */
    detail: string;
}
/**
 * The kind of error. "Field errors" has the schema keyword for each value. A minor version may
 * add values: treat a value that you do not know as an error at that place.
 *
 * - `required`: the value is missing.
 * - `unknown`: there is no such property or parameter.
 * - `repeated`: a parameter, or a name in an object, is given more than once.
 * - `type`: the value has another JSON type.
 * - `value`: the value is not one of the allowed values.
 * - `format`: the value does not have the required form.
 * - `too_short`, `too_long`: the number of characters.
 * - `too_many_bytes`: the number of bytes of UTF-8.
 * - `too_small`, `too_large`: the number.
 * - `too_few`, `too_many`: the number of items or properties.
 * - `duplicate`: an item or a header name is given twice.
 * - `unicode`: a text has a lone surrogate.
 * - `not_allowed_here`: the value contradicts another property or parameter.
 * @enum {string}
 */
export type FieldErrorCode = "required" | "unknown" | "repeated" | "type" | "value" | "format" | "too_short" | "too_long" | "too_many_bytes" | "too_small" | "too_large" | "too_few" | "too_many" | "duplicate" | "unicode" | "not_allowed_here";
export type $defs = Record<string, never>;
export interface operations {
    listEdges: {
        parameters: {
            query?: {
                /**
                 * The largest number of items on a page, in decimal digits without a sign or a leading zero.
                 * The next page keeps it. A page may have fewer items.
                 * @example 10
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * Where the page begins. It is opaque and stands in the URI of the next page; do not build
                 * one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
                 * or with any page. Given twice, such a cursor has the error `repeated`, `format` or both. A
                 * service whose URIs of pages have another cursor may refuse this one as `unknown`.
                 * @example the-cursor-of-the-next-page
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * The page has the edges that come after the one with this id, which are older. It is for
                 * existing clients that do not follow `next_page_uri`. A service may refuse an id that no edge
                 * has with 400 `invalid_request` (the error `format`); if it accepts the id of an edge that
                 * was deleted, the page begins where that edge was. Together with the cursor of a page, it is
                 * refused with `not_allowed_here`.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                before_id?: components["parameters"]["BeforeId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** One page of edges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdgeList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEdge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The edge to create. */
        requestBody: {
            content: {
                "application/json": HTTPSEdgeCreate;
            };
        };
        responses: {
            /** The edge was created. */
            201: {
                headers: {
                    Location: components["headers"]["EdgeLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdge;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The edge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdge;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The edge and its routes were deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEdge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        /** The properties to change. */
        requestBody: {
            content: {
                "application/json": HTTPSEdgeUpdate;
            };
        };
        responses: {
            /** The edge after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdge;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
            };
            cookie?: never;
        };
        /** The route to create. */
        requestBody: {
            content: {
                "application/json": HTTPSEdgeRouteCreate;
            };
        };
        responses: {
            /** The route was created. */
            201: {
                headers: {
                    Location: components["headers"]["RouteLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdgeRoute;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RouteConflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * The identifier of the route. It is unique at least within its edge (D01).
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The route. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdgeRoute;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * The identifier of the route. It is unique at least within its edge (D01).
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The route was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the edge.
                 * @example edghts_01ke3vw9xjbqpxz3q6t8m4n5rd
                 */
                edge_id: components["parameters"]["EdgeId"];
                /**
                 * The identifier of the route. It is unique at least within its edge (D01).
                 * @example edghtsrt_01ke3vwgt3m0f2a7c9s5h8k6xe
                 */
                route_id: components["parameters"]["RouteId"];
            };
            cookie?: never;
        };
        /** The properties to change. */
        requestBody: {
            content: {
                "application/json": HTTPSEdgeRouteUpdate;
            };
        };
        responses: {
            /** The route after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": HTTPSEdgeRoute;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RouteConflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventSources: {
        parameters: {
            query?: {
                /**
                 * The largest number of items on a page, in decimal digits without a sign or a leading zero.
                 * The next page keeps it. A page may have fewer items.
                 * @example 10
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * Where the page begins. It is opaque and stands in the URI of the next page; do not build
                 * one. A service may respond to a cursor that it did not issue with 400 (the error `format`)
                 * or with any page. Given twice, such a cursor has the error `repeated`, `format` or both. A
                 * service whose URIs of pages have another cursor may refuse this one as `unknown`.
                 * @example the-cursor-of-the-next-page
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** One page of sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventSourceList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        /** The event type to add. */
        requestBody: {
            content: {
                "application/json": EventSourceCreate;
            };
        };
        responses: {
            /** The event type was added. */
            201: {
                headers: {
                    Location: components["headers"]["EventSourceLocation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventSource;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The event source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventSource;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The event source was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEventSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The identifier of the event subscription that the sources belong to. Any identifier is accepted (D14).
                 * @example sub_orders
                 */
                subscription_id: components["parameters"]["SubscriptionId"];
                /**
                 * The event type of the source. In an update, it is the current type (D12).
                 * @example ip_policy_created.v0
                 */
                type: components["parameters"]["SourceType"];
            };
            cookie?: never;
        };
        /** The new event type. */
        requestBody?: {
            content: {
                "application/json": EventSourceUpdate;
            };
        };
        responses: {
            /** The event source after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventSource;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AlreadyExists"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
