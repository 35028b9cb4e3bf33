/** How queries over many records run: what is asked, in which order results come, and who takes them. */
@NullMarked
package io.sdds.client.internal.query;

import org.jspecify.annotations.NullMarked;
