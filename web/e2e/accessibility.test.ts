import { expect } from 'vitest'
import { axeFaults } from './axe.ts'
import { SCENES } from './scenes.ts'
import { stageTest } from './stage.ts'

const test = stageTest()

const DESKTOP = { width: 1280, height: 800 }

test.for(SCENES)('$name has no fault that axe finds', async ({ open }, { stage, visit }) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await open(visitor, stage)
  const onPhone = await axeFaults(page)
  await page.setViewportSize(DESKTOP)
  const onDesktop = await axeFaults(page)
  const none = { dark: [], light: [] }
  expect({ onPhone, onDesktop }).toEqual({ onPhone: none, onDesktop: none })
})
