import { testMaker } from './maker-of-robots'

testMaker('universal-robots')
