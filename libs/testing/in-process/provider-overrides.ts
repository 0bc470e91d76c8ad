import type { DynamicModule, InjectionToken, Type } from '@nestjs/common';

/** What a provider is replaced by. */
export interface Replacement {
  useValue(value: unknown): ProviderOverrides;
  useClass(type: unknown): ProviderOverrides;
  useFactory(options: {
    factory: (...given: never[]) => unknown;
    inject?: InjectionToken[];
  }): ProviderOverrides;
}

/** The builder of `@nestjs/testing`, as far as it replaces something: a test that replaces nothing does not need that package. */
export interface ProviderOverrides {
  overrideProvider(token: unknown): Replacement;
  overrideGuard(token: unknown): Replacement;
  overrideInterceptor(token: unknown): Replacement;
  overridePipe(token: unknown): Replacement;
  overrideFilter(token: unknown): Replacement;
  overrideModule(module: Type | DynamicModule): {
    useModule(module: Type | DynamicModule): ProviderOverrides;
  };
}
