/** The control messages: coordinator, map, sessions, shipping. Each a record, encoded by its declaration. */
@NullMarked
package io.sdds.core.control;

import org.jspecify.annotations.NullMarked;
