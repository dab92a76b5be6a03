import { testMaker } from './maker-of-robots'

testMaker('fanuc')
