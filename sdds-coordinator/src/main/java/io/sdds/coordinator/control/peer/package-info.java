/** The other coordinators: links to them, their answers and their silence. */
@NullMarked
package io.sdds.coordinator.control.peer;

import org.jspecify.annotations.NullMarked;
