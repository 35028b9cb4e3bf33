/** The files that processes of all roles keep in their directories. */
@NullMarked
package io.sdds.core.shell;

import org.jspecify.annotations.NullMarked;
