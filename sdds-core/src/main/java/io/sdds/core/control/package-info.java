/**
 * The control messages of coordinators, map, sessions and migrations. Each message is a record, encoded by its
 * declaration.
 */
@NullMarked
package io.sdds.core.control;

import org.jspecify.annotations.NullMarked;
