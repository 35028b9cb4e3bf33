/** Histories of operations of clients, and the checkers that tell whether their answers can be right. */
@NullMarked
package io.sdds.testkit.check;

import org.jspecify.annotations.NullMarked;
