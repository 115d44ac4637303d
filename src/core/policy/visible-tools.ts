import type { ToolTraits, TurnSettings } from '../../schema/turn-event.ts'
import { PLAN_STEP } from '../turn/plan-steps.ts'

/** What the model is shown. Visibility only: every call is checked again when it is dispatched. */
export function visibleTools({
  tools,
  mode,
  plan,
}: Pick<TurnSettings, 'tools' | 'mode' | 'plan'>): ToolTraits[] {
  const useful = plan ? tools : tools.filter(({ name }) => name !== PLAN_STEP)
  switch (mode) {
    case 'Plan':
      return useful.filter((tool) => tool.read_only || tool.confinable || tool.launches)
    case 'Act':
      return useful
  }
}
