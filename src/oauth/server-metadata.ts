import { Injectable } from '@nestjs/common';

import { APP_SCOPES, DEFAULT_SCOPES } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { FixedResponse } from '../core/http/index.js';
import { OAuthUrls } from './oauth-urls.js';
import { CLIENT_AUTH_METHODS, CLIENT_SIGNATURES } from './oauth-clients.js';

const KEPT_SECONDS = 300;

/** How clients find out what there is: RFC 8414 for the authorization server, RFC 9728 for what its tokens open. */
@Injectable()
export class ServerMetadata {
  readonly server: FixedResponse;
  readonly resource: FixedResponse;

  constructor(urls: OAuthUrls, { oauthRegistration }: Settings) {
    this.server = json({
      issuer: urls.issuer,
      authorization_endpoint: urls.endpoint('authorize'),
      token_endpoint: urls.endpoint('token'),
      revocation_endpoint: urls.endpoint('revoke'),
      device_authorization_endpoint: urls.endpoint('device'),
      ...(oauthRegistration && { registration_endpoint: urls.endpoint('register') }),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: CLIENT_SIGNATURES,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: APP_SCOPES,
    });
    this.resource = json({
      resource: urls.resource,
      authorization_servers: [urls.issuer],
      scopes_supported: DEFAULT_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse',
    });
  }
}

function json(document: object): FixedResponse {
  return new FixedResponse(JSON.stringify(document), 'application/json; charset=utf-8', KEPT_SECONDS);
}
