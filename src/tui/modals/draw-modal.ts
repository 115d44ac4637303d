import type { Pending } from '../../schema/pending.ts'
import type { Theme } from '../draw/theme.ts'
import type { Scene, ScenePending } from '../screen/scene.ts'
import type { Modal } from '../state/modal.ts'
import { compareKey, drawCompare } from './compare.ts'
import { confirmKey, drawConfirm } from './confirm.ts'
import { drawLaunch, launchKey } from './launch.ts'
import { type DrawnModal, type Key, type ModalStep, close } from './modal-key.ts'
import { drawOverride, overrideKey } from './override.ts'
import { drawPage, pageKey } from './page.ts'
import { drawPicker, pickerKey } from './picker.ts'
import { drawPlan } from './plan.ts'
import { planKey } from './plan-keys.ts'

interface Size {
  width: number
  height: number
}

/** The modal as a box; undefined when what it was about is gone. */
export function drawModal(theme: Theme, modal: Modal, scene: Scene, size: Size): DrawnModal | undefined {
  switch (modal.kind) {
    case 'plan':
      return scene.plan && drawPlan(theme, modal, scene.plan, size)
    case 'override': {
      const found = find(scene, modal.pending_id, 'override')
      return found && drawOverride(theme, modal, found.pending, size)
    }
    case 'compare':
      return drawCompare(theme, modal, size)
    case 'launch': {
      const found = find(scene, modal.pending_id, 'run_approval')
      return found && drawLaunch(theme, modal, found.pending, size)
    }
    case 'confirm':
      return drawConfirm(theme, modal, size)
    case 'picker':
      return drawPicker(theme, modal, size)
    case 'page':
      return drawPage(theme, modal, size)
  }
}

/** What a key does while the modal is open. `most`: how far it can be scrolled. */
export function modalKey(modal: Modal, scene: Scene, key: Key, most: number): ModalStep {
  switch (modal.kind) {
    case 'plan':
      return scene.plan ? planKey(modal, scene.plan, key) : close()
    case 'override': {
      const found = find(scene, modal.pending_id, 'override')
      return found ? overrideKey(modal, found, found.pending, key) : close()
    }
    case 'compare':
      return compareKey(modal, key)
    case 'launch': {
      const found = find(scene, modal.pending_id, 'run_approval')
      return found ? launchKey(modal, found, found.pending, key, most) : close()
    }
    case 'confirm':
      return confirmKey(modal, key)
    case 'picker':
      return pickerKey(modal, key)
    case 'page':
      return pageKey(modal, key, most)
  }
}

function find<K extends Pending['kind']>(
  { pendings }: Scene,
  id: string,
  kind: K,
): (ScenePending & { pending: Extract<Pending, { kind: K }> }) | undefined {
  const found = pendings.find(({ pending }) => pending.id === id && pending.kind === kind)
  return found as (ScenePending & { pending: Extract<Pending, { kind: K }> }) | undefined
}
