/** The collection of a module's templates. */
export const templatesOf = (module: string): string => `templates/${module}`

/** The collection of the CAD elements of grippers. */
export const gripperElements = 'gripper_elements'
