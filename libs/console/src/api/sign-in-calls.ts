import type {
  AuthLoginData,
  AuthSessionData,
  LoginInput,
  PasskeyOptions,
  PasskeyResponseInput,
  SecondFactorInput,
  SecondStep,
  SecondStepBeginData,
  SecondStepDescribeData,
  SecondStepFinishData,
  SecondStepSignInData,
  SignInStart,
  SignInStartInput,
  SignInWayList,
  SignInWaysListData,
  UserMe,
} from '@gatehouse/client/operations';

import { jsonOrNull } from './json-or-null.js';
import { problemOf } from './problem.js';
import { sameOrigin } from './same-origin.js';

/*
 * What signing in asks, by the generated client's types and without its code: that is one module, of all operations that
 * the console uses, and weighs more than the form.
 */

export function askSession(): Promise<UserMe> {
  return ask('GET', '/v1/auth/session' satisfies AuthSessionData['url']);
}

export function listSignInWays(): Promise<SignInWayList> {
  return ask('GET', '/v1/auth/ways' satisfies SignInWaysListData['url']);
}

export function startSignInWay(way: string, body: SignInStartInput): Promise<SignInStart> {
  return ask('POST', `/v1/auth/ways/${encodeURIComponent(way)}/start`, body);
}

export function login(body: LoginInput): Promise<UserMe> {
  return ask('POST', '/v1/auth/login' satisfies AuthLoginData['url'], body);
}

export function describeSecondStep(): Promise<SecondStep> {
  return ask('GET', '/v1/auth/second-factor' satisfies SecondStepDescribeData['url']);
}

export function finishSecondStep(body: SecondFactorInput): Promise<UserMe> {
  return ask('POST', '/v1/auth/second-factor' satisfies SecondStepFinishData['url'], body);
}

export function beginPasskey(): Promise<PasskeyOptions> {
  return ask('POST', '/v1/auth/passkey/options' satisfies SecondStepBeginData['url']);
}

export function signInByPasskey(body: PasskeyResponseInput): Promise<UserMe> {
  return ask('POST', '/v1/auth/passkey' satisfies SecondStepSignInData['url'], body);
}

/** @throws Problem */
async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  let response: Response | undefined;
  try {
    response = await fetch(sameOrigin(path, { method }, body));
    const told = jsonOrNull(await response.text());
    if (response.ok) return told as Answer;
    throw problemOf(told, response);
  } catch (error) {
    throw problemOf(error, response);
  }
}
