import type { WorkspaceCaller } from '../core/access/index.js';
import { PATIENCE, type SchemaChecks } from '../core/schema/index.js';
import { type VersionFacts, viewerOf } from '../scripts/index.js';
import type { AutomationRow } from './automation-entity.js';
import type { AutomationViewer } from './automations.repository.js';
import { type AutomationSettings, AutomationsService } from './automations.service.js';
import { checkConstantInputs } from './matching/constant-inputs.js';
import type { Placeholders } from './matching/template.js';

/** What triggers and hooks have in common: they wait for something, and their inputs may take values from it. */
export abstract class MatchingAutomationsService<
  Row extends AutomationRow,
  Settings extends AutomationSettings,
  Dto,
> extends AutomationsService<Row, Settings, Dto> {
  /** What inputs take values by. */
  protected abstract readonly placeholders: Placeholders;
  protected abstract readonly checks: SchemaChecks;

  /** They exist in the environment that the request acts in. */
  protected viewerOf(caller: WorkspaceCaller): AutomationViewer {
    return { ...viewerOf(caller), environmentId: caller.environment.id };
  }

  /** As far as the inputs are known beforehand. */
  protected checkInputs(
    { workspace }: WorkspaceCaller,
    { inputSchema: schema }: VersionFacts,
    inputs: Record<string, unknown>,
  ): Promise<void> {
    return checkConstantInputs(inputs, this.placeholders, async (constants) => {
      const { fileFields } = await this.checks.inputs({
        schema,
        command: null,
        inputs: constants,
        workspaceId: workspace.id,
        patience: PATIENCE.transaction,
      });
      return fileFields;
    });
  }
}
