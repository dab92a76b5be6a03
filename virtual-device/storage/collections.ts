/** The collection of the templates of a module on the shelf. */
export const templatesOf = (module: string): string => `templates/${module}`

/** The collection of the CAD elements of grippers. */
export const gripperElements = 'gripper_elements'
